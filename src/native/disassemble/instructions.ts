import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hexAddress, parseAddress } from '../../base/address.js';
import type { NativeMachine } from '../elf/elf-file.js';
import { MACHINES } from '../machines/machines.js';
import type { ShownInstruction } from './machine-listing.js';

const LINE = /^\s*([\da-f]+):\t(.*)$/gm;

/** The lines of objdump for a file of code; undefined: none of the programs can. */
function objdumpLines(machine: NativeMachine, file: string, address: number): readonly [number, string][] | undefined {
  const options = ['-D', '-w', '-b', 'binary', '--no-show-raw-insn', `--adjust-vma=0x${hexAddress(address)}`, file];
  for (const [program, ...target] of MACHINES[machine].listing.objdumps) {
    const { status, stdout } = spawnSync(program!, [...target, ...options], { encoding: 'utf8', maxBuffer: 2 ** 30 });
    if (status !== 0) continue;
    return [...stdout.matchAll(LINE)].map(([, digits, text]) => [parseAddress(digits!), text!.trim().replaceAll(/\s+/g, ' ')]);
  }
  return undefined;
}

function byObjdump(machine: NativeMachine, code: Uint8Array, address: number): ShownInstruction[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-disassemble-'));
  try {
    const file = join(folder, 'code');
    writeFileSync(file, code);
    const lines = objdumpLines(machine, file, address);
    return lines?.map(([at, text], i) => {
      const end = lines[i + 1]?.[0] ?? address + code.length;
      return { address: at, bytes: code.subarray(at - address, end - address), text };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The instructions of code at an address. */
export function shownInstructions(
  machine: NativeMachine,
  code: Uint8Array,
  address: number,
  useObjdump = true,
): ShownInstruction[] {
  if (code.length === 0) return [];
  const shown = useObjdump ? byObjdump(machine, code, address) : undefined;
  if (shown !== undefined) return shown;
  const bytes = Buffer.from(code.buffer, code.byteOffset, code.length);
  return MACHINES[machine].listing.instructions(bytes, address);
}
