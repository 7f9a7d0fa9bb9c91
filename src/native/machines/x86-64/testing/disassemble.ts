import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why there is no disassembler, as a test's reason to be skipped; false if there is one. */
export const noObjdump: string | false =
  spawnSync('objdump', ['--version']).error === undefined ? false : 'objdump is not installed';

/** The instructions in machine code of x86-64, one a line, as objdump prints them in Intel's syntax with single spaces. */
export function disassemble(code: Uint8Array, address = 0): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-code-'));
  try {
    const file = join(folder, 'code');
    writeFileSync(file, code);
    const machine = ['-D', '-b', 'binary', '-m', 'i386:x86-64', '-M', 'intel', '--no-show-raw-insn', '-w'];
    const text = execFileSync('objdump', [...machine, `--adjust-vma=${address}`, file], { encoding: 'utf8' });
    return [...text.matchAll(/^ +[0-9a-f]+:\t(.*)$/gm)].map(([, line]) => line!.replaceAll(/ +/g, ' ').trim());
  } finally {
    rmSync(folder, { recursive: true });
  }
}
