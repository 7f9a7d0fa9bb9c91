/**
 * x16 and x17 are the linker's: a function finds nothing of its caller in them, because a stub on the way may have used them.
 * Code that does find something there is not called as functions are: `_dl_runtime_resolve`, to which stubs go with the address
 * of a table in x16.
 */

const isOneOf = (register: number): boolean => register === 16 || register === 17;
const rd = (word: number): number => word & 31;
const rn = (word: number): number => (word >>> 5) & 31;
const rm = (word: number): number => (word >>> 16) & 31;
/** The second one of a pair, the third one that is read. */
const rt2 = (word: number): number => (word >>> 10) & 31;

/** A group of instructions: the general registers that they read. */
interface Group {
  readonly mask: number;
  readonly is: number;
  reads(word: number): readonly number[];
}

/** The first one that an instruction belongs to counts. Of those that are in none, what they read is not known. */
const GROUPS: readonly Group[] = [
  // adr and adrp; loads of a literal.
  { mask: 0x1f000000, is: 0x10000000, reads: () => [] },
  { mask: 0x3b000000, is: 0x18000000, reads: () => [] },
  // movn and movz, without movk.
  { mask: 0x3f800000, is: 0x12800000, reads: () => [] },
  { mask: 0x7f800000, is: 0x52800000, reads: () => [] },
  { mask: 0x7f800000, is: 0x72800000, reads: (word) => [rd(word)] },
  // All else with a constant: of one register, and extr of two.
  { mask: 0x1f800000, is: 0x13800000, reads: (word) => [rn(word), rm(word)] },
  { mask: 0x1c000000, is: 0x10000000, reads: (word) => [rn(word)] },
  // ccmp and ccmn with a constant; of one register (clz, rev), of three (madd); all else of registers.
  { mask: 0x1fe00800, is: 0x1a400800, reads: (word) => [rn(word)] },
  { mask: 0x5fe00000, is: 0x5ac00000, reads: (word) => [rn(word)] },
  { mask: 0x1f000000, is: 0x1b000000, reads: (word) => [rn(word), rm(word), rt2(word)] },
  { mask: 0x0e000000, is: 0x0a000000, reads: (word) => [rn(word), rm(word)] },
  // Pairs: a load, a store, and those of vector registers.
  { mask: 0x3e400000, is: 0x28000000, reads: (word) => [rd(word), rt2(word), rn(word)] },
  { mask: 0x3a000000, is: 0x28000000, reads: (word) => [rn(word)] },
  // Behind a register; others: a store, a load, and those of vector registers.
  { mask: 0x3b200c00, is: 0x38200800, reads: (word) => [rn(word), rm(word)] },
  { mask: 0x3ec00000, is: 0x38000000, reads: (word) => [rd(word), rn(word)] },
  { mask: 0x3ec00000, is: 0x39000000, reads: (word) => [rd(word), rn(word)] },
  { mask: 0x0a000000, is: 0x08000000, reads: (word) => [rn(word)] },
  // cbz, cbnz, tbz, tbnz; br, blr, ret.
  { mask: 0x7c000000, is: 0x34000000, reads: (word) => [rd(word)] },
  { mask: 0xfe000000, is: 0xd6000000, reads: (word) => [rn(word)] },
];

/** b, bl; br, blr, ret. */
const goesElsewhere = (word: number): boolean =>
  (word & 0x7c000000) >>> 0 === 0x14000000 || (word & 0xfe000000) >>> 0 === 0xd6000000;

/** Whether a function's first instructions, up to where it goes elsewhere, read x16 or x17 before they write it. */
export function readsLinkerRegister(words: readonly number[]): boolean {
  const written = new Set<number>();
  for (const word of words) {
    const read = GROUPS.find(({ mask, is }) => (word & mask) >>> 0 === is)?.reads(word) ?? [];
    if (read.some((register) => isOneOf(register) && !written.has(register))) return true;
    if (goesElsewhere(word)) return false;
    written.add(rd(word));
    // The second one of a pair that is loaded.
    if ((word & 0x3a400000) >>> 0 === 0x28400000) written.add(rt2(word));
  }
  return false;
}
