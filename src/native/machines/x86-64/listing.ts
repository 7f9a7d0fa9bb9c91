import type { MachineListing, ShownInstruction } from '../../disassemble/machine-listing.js';
import { Decoder } from './decode.js';
import { nopLength } from './nops.js';

/** Mnemonics of what a tracer reads and writes: sites, and where the program goes. */
function mnemonicOf(decoder: Decoder, code: Buffer, at: number, address: number): string {
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
    const text = isKnown ? mnemonicOf(decoder, code, at, address) : '(bad)';
    shown.push({ address: address + at, bytes: code.subarray(at, at + length), text });
    at += length;
  }
  return shown;
}

/** Listings of x86-64. */
export const listing: MachineListing = {
  objdumps: [
    ['objdump', '-m', 'i386:x86-64'],
    ['x86_64-linux-gnu-objdump', '-m', 'i386:x86-64'],
  ],
  bytesWidth: 3 * 8,
  shownBytes: (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
  instructions: byDecoder,
  // At its beginning: an opcode and 32 bits.
  branch(site, address) {
    const verb = { 232: 'calls', 233: 'jumps to' }[site[0]!];
    return verb === undefined || site.length < 5 ? undefined : { verb, to: address + 5 + site.readInt32LE(1) };
  },
};
