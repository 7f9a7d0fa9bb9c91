import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt } from '../../base/attempt.js';
import { ElfFile } from '../elf/elf-file.js';

/** Objects that a test has compiled: for their text only, so also those of another machine. */

/** What a test gives back when it ends. */
interface Cleanup {
  after(run: () => void): void;
}

/** Why a test cannot use these programs; false if it can. */
export function without(...programs: readonly string[]): string | false {
  const missing = programs.filter(
    (program) => attempt(() => execFileSync(program, ['--version'], { stdio: 'ignore' })) === undefined,
  );
  return missing.length > 0 && `${missing.join(' and ')} is not installed`;
}

/** A source of C that becomes an object by these commands: each is given the file that it makes and those that it reads. */
export function compileText(t: Cleanup, source: string, compiler: readonly string[], linker?: readonly string[]): ElfFile {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-text-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [file, relocatable, object] = ['text.c', 'text.o', 'text'].map((name) => join(folder, name)) as [string, string, string];
  writeFileSync(file, source);
  const run = ([command, ...options]: readonly string[], to: string, from: string, ...more: string[]): void =>
    void execFileSync(command!, [...options, ...more, '-O2', '-o', to, from], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (linker === undefined) run(compiler, object, file);
  else {
    run(compiler, relocatable, file, '-c');
    run(linker, object, relocatable);
  }
  return new ElfFile(readFileSync(object), object);
}

/** Code at an address as objdump shows it: a line for each instruction, in one spelling of white space. */
export function disassembled(
  code: Uint8Array,
  address: number,
  [objdump, machine]: readonly [string, string] = ['objdump', 'i386:x86-64'],
): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-text-'));
  const file = join(folder, 'code');
  writeFileSync(file, code);
  const options = ['-D', '-w', '-b', 'binary', '-m', machine, '--no-show-raw-insn', `--adjust-vma=${address}`];
  const text = execFileSync(objdump, [...options, file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return [...text.matchAll(/^\s*[\da-f]+:\t(.*)$/gm)].map(([, line]) => line!.trim().replaceAll(/\s+/g, ' '));
}
