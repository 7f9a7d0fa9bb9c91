import type { MachineListing, ShownInstruction } from '../../disassemble/machine-listing.js';
import { wordsOf } from './encode.js';
import { branchTarget } from './move.js';

/** What of arm64 a tracer reads and writes: sites, and where the program goes. */
const KNOWN: readonly (readonly [mask: number, word: number, name: string])[] = [
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
  const [, is, name = ''] = KNOWN.find(([mask, known]) => (word & mask) >>> 0 === known) ?? [];
  const target = branchTarget(is === 0x94000000 ? (word & ~LINK) >>> 0 : word, at);
  return target === undefined ? name : `${name} 0x${target.toString(16)}`;
}

const byWords = (code: Buffer, address: number): ShownInstruction[] =>
  wordsOf(code).map((word, i) => ({
    address: address + 4 * i,
    bytes: code.subarray(4 * i, 4 * i + 4),
    text: arm64Text(word, address + 4 * i),
  }));

/** Listings of arm64. */
export const listing: MachineListing = {
  objdumps: [
    ['aarch64-linux-gnu-objdump', '-m', 'aarch64'],
    ['objdump', '-m', 'aarch64'],
  ],
  bytesWidth: 8,
  // The words that they are.
  shownBytes: (bytes) =>
    wordsOf(bytes)
      .map((word) => word.toString(16).padStart(8, '0'))
      .join(' '),
  instructions: byWords,
  // Its last instruction: 6 bits and 26.
  branch(site, address) {
    const word = site.readInt32LE(site.length - 4);
    const verb = { 37: 'calls', 5: 'jumps to' }[word >>> 26];
    return verb === undefined ? undefined : { verb, to: address + site.length - 4 + ((word << 6) >> 6) * 4 };
  },
};
