import { branch, loadAddress } from './encode.js';
import { RETURN } from './short-forms.js';

/**
 * An instruction of arm64 that runs at another address than that for which it was made. x16 is free at a function's entry: the
 * linker's own stubs use it there.
 */

const SCRATCH = 16;
const LINK = 30;
const BR_X16 = 0xd61f0200;

/** The part of a word from a bit on, with its sign. */
const signed = (word: number, from: number, bits: number): number => (word << (32 - from - bits)) >> (32 - bits);

/** An instruction, and how it is elsewhere: the words at an address, with the address of what follows it in the text. */
interface Move {
  readonly mask: number;
  readonly is: number;
  move(word: number, from: number, to: number): number[];
}

/** Goes to an address, however far away it is. */
function jump(at: number, target: number): number[] {
  const isNear = Math.abs(target - at) < 2 ** 27;
  return isNear ? [branch('jump', at, target)] : [...loadAddress(SCRATCH, target), BR_X16];
}

/** A branch with a condition: the condition over a jump back, to a jump to where it went. */
function condition(word: number, at: number, bits: number, from: number, to: number): number[] {
  const target = from + signed(word, at, bits) * 4;
  const back = jump(to + 4, from + 4);
  const mask = ((1 << bits) - 1) << at;
  const over = ((word & ~mask) | ((back.length + 1) << at)) >>> 0;
  return [over, ...back, ...jump(to + 4 + back.length * 4, target)];
}

/** The address that adr and adrp make. */
function made(word: number, from: number): number {
  const distance = signed(word, 5, 19) * 4 + ((word >>> 29) & 3);
  const isPage = word >>> 31 === 1;
  return isPage ? from - (from % 4096) + distance * 4096 : from + distance;
}

/** Loads of a literal: the same from the address in x16. */
const LITERALS: Readonly<Record<number, number>> = {
  // ldr w, ldr x, ldrsw, ldr s, d, q
  402653184: 0xb9400000,
  1476395008: 0xf9400000,
  2550136832: 0xb9800000,
  469762048: 0xbd400000,
  1543503872: 0xfd400000,
  2617245696: 0x3dc00000,
};

const literal: Move['move'] = (word, from) => [
  ...loadAddress(SCRATCH, from + signed(word, 5, 19) * 4),
  (LITERALS[(word & 0xff000000) >>> 0]! | (SCRATCH << 5) | (word & 31)) >>> 0,
];

const MOVES: readonly Move[] = [
  // b, bl
  { mask: 0xfc000000, is: 0x14000000, move: (word, from, to) => jump(to, from + signed(word, 0, 26) * 4) },
  {
    mask: 0xfc000000,
    is: 0x94000000,
    move: (word, from, to) => {
      const link = loadAddress(LINK, from + 4);
      return [...link, ...jump(to + link.length * 4, from + signed(word, 0, 26) * 4)];
    },
  },
  // b.cond; cbz, cbnz; tbz, tbnz
  { mask: 0xff000010, is: 0x54000000, move: (word, from, to) => condition(word, 5, 19, from, to) },
  { mask: 0x7e000000, is: 0x34000000, move: (word, from, to) => condition(word, 5, 19, from, to) },
  { mask: 0x7e000000, is: 0x36000000, move: (word, from, to) => condition(word, 5, 14, from, to) },
  // adr, adrp
  { mask: 0x1f000000, is: 0x10000000, move: (word, from) => loadAddress(word & 31, made(word, from)) },
  ...Object.keys(LITERALS).map((is): Move => ({ mask: 0xff000000, is: Number(is), move: literal })),
];

/** The words of an instruction that was at `from` as they must be at `to`, with a jump to what followed it. */
export function movedInstruction(word: number, from: number, to: number): number[] {
  const known = MOVES.find(({ mask, is }) => (word & mask) >>> 0 === is);
  const moved = known === undefined ? [word] : known.move(word, from, to);
  const last = moved.at(-1)!;
  const goesOn = (last & 0xfc000000) >>> 0 !== 0x14000000 && last !== BR_X16 && last !== RETURN;
  return goesOn ? [...moved, ...jump(to + moved.length * 4, from + 4)] : moved;
}

/** Where a branch of one instruction goes, as an address; undefined: it is none, or not to a fixed place. */
export function branchTarget(word: number, at: number): number | undefined {
  if ((word & 0xfc000000) >>> 0 === 0x14000000) return at + signed(word, 0, 26) * 4;
  if ((word & 0xff000010) >>> 0 === 0x54000000 || (word & 0x7e000000) >>> 0 === 0x34000000) return at + signed(word, 5, 19) * 4;
  return (word & 0x7e000000) >>> 0 === 0x36000000 ? at + signed(word, 5, 14) * 4 : undefined;
}
