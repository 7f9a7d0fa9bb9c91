import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hexAddress, parseAddress } from '../../base/address.js';
import type { NativeMachine } from '../elf/elf-file.js';
import { wordsOf } from '../machines/arm64/encode.js';
import { branchTarget } from '../machines/arm64/move.js';
import { Decoder } from '../machines/x86-64/decode.js';
import { nopLength } from '../machines/x86-64/nops.js';

/** Machine code taken apart, with the mnemonics of objdump where that is installed. */

/** An instruction at an address. */
export interface ShownInstruction {
  readonly address: number;
  readonly bytes: Uint8Array;
  /** `call *0x2dba(%rip) # 0x403fe0`; '' where only its length is known. Addresses are `0x` and hexadecimal digits. */
  readonly text: string;
}

/** Bytes as disassemblers of the machine show them: one after the other, or on arm64 the words that they are. */
export const shownBytes = (machine: NativeMachine, bytes: Uint8Array): string =>
  machine === 'arm64'
    ? wordsOf(bytes)
        .map((word) => word.toString(16).padStart(8, '0'))
        .join(' ')
    : [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');

/** What takes code of a machine apart: the first of the programs that is installed and knows the machine. */
const OBJDUMPS: Readonly<Record<NativeMachine, readonly (readonly string[])[]>> = {
  'x86-64': [
    ['objdump', '-m', 'i386:x86-64'],
    ['x86_64-linux-gnu-objdump', '-m', 'i386:x86-64'],
  ],
  arm64: [
    ['aarch64-linux-gnu-objdump', '-m', 'aarch64'],
    ['objdump', '-m', 'aarch64'],
  ],
};

const LINE = /^\s*([\da-f]+):\t(.*)$/gm;

/** The lines of objdump for a file of code; undefined: none of the programs can. */
function objdumpLines(machine: NativeMachine, file: string, address: number): readonly [number, string][] | undefined {
  const options = ['-D', '-w', '-b', 'binary', '--no-show-raw-insn', `--adjust-vma=0x${hexAddress(address)}`, file];
  for (const [program, ...target] of OBJDUMPS[machine]) {
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

/** Mnemonics of what a tracer reads and writes: sites, and where the program goes. */
function ownText(decoder: Decoder, code: Buffer, at: number, address: number): string {
  if (nopLength(code, at) === decoder.length) return 'nop';
  if (code.length >= at + 4 && code.readUInt32LE(at) === 0xfa1e0ff3) return 'endbr64';
  const { flow } = decoder;
  if (flow === 'next') return '';
  const target = decoder.target(code, at);
  if (flow === 'return') return 'ret';
  const name = { call: 'call', jump: 'jmp', branch: 'jcc', loop: 'jrcxz or loop' }[flow];
  return target === undefined ? `${name} *` : `${name} 0x${BigInt.asUintN(64, BigInt(address + target)).toString(16)}`;
}

function byDecoder(code: Buffer, address: number): ShownInstruction[] {
  const decoder = new Decoder();
  const shown: ShownInstruction[] = [];
  for (let at = 0; at < code.length; ) {
    const isKnown = decoder.read(code, at);
    const length = isKnown ? decoder.length : 1;
    const text = isKnown ? ownText(decoder, code, at, address) : '(bad)';
    shown.push({ address: address + at, bytes: code.subarray(at, at + length), text });
    at += length;
  }
  return shown;
}

/** What of arm64 a tracer reads and writes: sites, and where the program goes. */
const ARM64: readonly (readonly [mask: number, word: number, name: string])[] = [
  [0xffffffff, 0xd503201f, 'nop'],
  [0xffffff3f, 0xd503241f, 'bti'],
  [0xfffffc1f, 0xd65f0000, 'ret'],
  [0xfffffbff, 0xd65f0bff, 'ret'],
  [0xfffffc1f, 0xd61f0000, 'br *'],
  [0xfffffc1f, 0xd63f0000, 'blr *'],
  [0xfc000000, 0x94000000, 'bl'],
  [0xfc000000, 0x14000000, 'b'],
  [0xff000010, 0x54000000, 'b.cond'],
  [0x7f000000, 0x34000000, 'cbz'],
  [0x7f000000, 0x35000000, 'cbnz'],
  [0x7f000000, 0x36000000, 'tbz'],
  [0x7f000000, 0x37000000, 'tbnz'],
];
/** What makes a call of a jump. */
const LINK = 0x80000000;

function arm64Text(word: number, at: number): string {
  const [, is, name = ''] = ARM64.find(([mask, known]) => (word & mask) >>> 0 === known) ?? [];
  const target = branchTarget(is === 0x94000000 ? (word & ~LINK) >>> 0 : word, at);
  return target === undefined ? name : `${name} 0x${target.toString(16)}`;
}

const byWords = (code: Buffer, address: number): ShownInstruction[] =>
  wordsOf(code).map((word, i) => ({
    address: address + 4 * i,
    bytes: code.subarray(4 * i, 4 * i + 4),
    text: arm64Text(word, address + 4 * i),
  }));

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
  return machine === 'arm64' ? byWords(bytes, address) : byDecoder(bytes, address);
}
