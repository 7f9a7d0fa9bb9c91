import { branch, loadAddress, NOP } from './encode.js';
import { accessNear, branchTo, SP } from './instructions.js';
import { moveRegister } from './short-forms.js';

/**
 * An instruction of arm64 that runs at another address than that for which it was made. What it means by distance stays the same,
 * also if that is itself.
 */

const SCRATCH = 16;
const LINK = 30;

/**
 * What x16 is where an instruction stands: free, as at a function's entry, where the linker's own stubs use it; or a register
 * like all others.
 */
export type ScratchUse = 'x16 is free' | 'all registers count';

/** Where an instruction was, and where it is going to be. */
interface Places {
  readonly from: number;
  readonly to: number;
  readonly use: ScratchUse;
}

/** The part of a word from a bit on, with its sign. */
const signed = (word: number, from: number, bits: number): number => (word << (32 - from - bits)) >> (32 - bits);

/** An instruction, and how it is elsewhere: the words at an address, with the address of what follows it in the text. */
interface Move {
  readonly mask: number;
  readonly is: number;
  move(word: number, places: Places): number[];
}

/** Goes to an address; however far away it is, if x16 is free. Throws ERANGE else. */
function jump(at: number, target: number, use: ScratchUse): number[] {
  const isNear = Math.abs(target - at) < 2 ** 27;
  return isNear || use !== 'x16 is free'
    ? [branch('jump', at, target)]
    : [...loadAddress(SCRATCH, target), branchTo('br', SCRATCH)];
}

/** A branch with a condition: the condition over a jump back, to a jump to where it went. */
function condition(word: number, at: number, bits: number, { from, to, use }: Places): number[] {
  const target = from + signed(word, at, bits) * 4;
  const back = jump(to + 4, from + 4, use);
  const mask = ((1 << bits) - 1) << at;
  const over = ((word & ~mask) | ((back.length + 1) << at)) >>> 0;
  return [over, ...back, ...jump(to + 4 + back.length * 4, target, use)];
}

/**
 * A call, moved. It returns into the text: unwinders and backtraces look for the caller there. What is called may find anything
 * in x16.
 */
function call(word: number, { from, to }: Places): number[] {
  const link = loadAddress(LINK, from + 4);
  return [...link, ...jump(to + link.length * 4, from + signed(word, 0, 26) * 4, 'x16 is free')];
}

/** blr and its signed forms: the same with the address in a register. */
function callTo(word: number, { from }: Places): number[] {
  const [address, modifier] = [(word >>> 5) & 31, word & 31];
  const [isSigned, hasModifier] = [(word & 0x800) !== 0, (word & 0x1000000) !== 0];
  const link = loadAddress(LINK, from + 4);
  if (address === LINK && !isSigned) return [moveRegister(SCRATCH, LINK), ...link, branchTo('br', SCRATCH)];
  // It needs what the register of the return address has.
  if (address === LINK || (hasModifier && modifier === LINK)) return [word];
  return [...link, (word & ~AS_CALL) >>> 0];
}

/** The address that adr and adrp make. */
function made(word: number, from: number): number {
  const distance = signed(word, 5, 19) * 4 + ((word >>> 29) & 3);
  const isPage = word >>> 31 === 1;
  return isPage ? from - (from % 4096) + distance * 4096 : from + distance;
}

/** Loads of a literal: the same from the address in a register, and how many bytes. */
const LITERALS: Readonly<Record<number, readonly [load: number, bytes: number]>> = {
  // ldr w, ldr x, ldrsw, ldr s, d, q
  402653184: [0xb9400000, 4],
  1476395008: [0xf9400000, 8],
  2550136832: [0xb9800000, 4],
  469762048: [0xbd400000, 4],
  1543503872: [0xfd400000, 8],
  2617245696: [0x3dc00000, 16],
};
/** The kind of a load of a literal. */
const kindOf = (word: number): number => (word & 0xff000000) >>> 0;
const isVector = (word: number): boolean => (word & 0x04000000) !== 0;
/** prfm of a literal, which may as well be left out. */
const PREFETCH = 0xd8000000;
/** Calls and jumps to registers, without the registers; what a call has besides. */
const [TO_REGISTER, JUMP_TO_REGISTER, CALL_TO_REGISTER, RETURN_TO_REGISTER] = [0xfefff000, 0xd61f0000, 0xd63f0000, 0xd65f0000];
const AS_CALL = CALL_TO_REGISTER - JUMP_TO_REGISTER;

/** What a load of a literal at an address reads; undefined: it is something else. */
export function literalOf(word: number, at: number): { readonly address: number; readonly bytes: number } | undefined {
  const known = LITERALS[kindOf(word)];
  return known && { address: at + signed(word, 5, 19) * 4, bytes: known[1] };
}

function literal(word: number, { from }: Places): number[] {
  const { address } = literalOf(word, from)!;
  const [load] = LITERALS[kindOf(word)]!;
  const to = word & 31;
  // A general register can have the address first.
  const base = isVector(word) ? SCRATCH : to;
  const own = [...loadAddress(base, address), (load | (base << 5) | to) >>> 0];
  if (!isVector(word)) return own;
  return [accessNear('str', 64, SCRATCH, SP, -16, 'before'), ...own, accessNear('ldr', 64, SCRATCH, SP, 16, 'after')];
}

const MOVES: readonly Move[] = [
  // b, bl
  {
    mask: 0xfc000000,
    is: 0x14000000,
    move: (word, { from, to, use }) => jump(to, from + signed(word, 0, 26) * 4, use),
  },
  { mask: 0xfc000000, is: 0x94000000, move: call },
  // blr
  { mask: TO_REGISTER, is: CALL_TO_REGISTER, move: callTo },
  // b.cond, bc.cond; cbz, cbnz; tbz, tbnz
  { mask: 0xff000000, is: 0x54000000, move: (word, places) => condition(word, 5, 19, places) },
  { mask: 0x7e000000, is: 0x34000000, move: (word, places) => condition(word, 5, 19, places) },
  { mask: 0x7e000000, is: 0x36000000, move: (word, places) => condition(word, 5, 14, places) },
  // cbgt, cblt and others that compare: registers, bytes, constants
  { mask: 0x7e000000, is: 0x74000000, move: (word, places) => condition(word, 5, 9, places) },
  // adr, adrp
  { mask: 0x1f000000, is: 0x10000000, move: (word, { from }) => loadAddress(word & 31, made(word, from)) },
  ...Object.keys(LITERALS).map((is): Move => ({ mask: 0xff000000, is: Number(is), move: literal })),
  { mask: 0xff000000, is: PREFETCH, move: () => [NOP] },
];

/**
 * The words of an instruction that was at `from` as they must be at `to`, with a jump to what followed it. Throws ERANGE if
 * something is out of reach without x16.
 */
export function movedInstruction(word: number, from: number, to: number, use: ScratchUse = 'x16 is free'): number[] {
  const known = MOVES.find(({ mask, is }) => (word & mask) >>> 0 === is);
  const moved = known === undefined ? [word] : known.move(word, { from, to, use });
  return goesOn(moved.at(-1)!) ? [...moved, ...jump(to + moved.length * 4, from + 4, use)] : moved;
}

/** Whether something runs behind an instruction. */
function goesOn(word: number): boolean {
  if ((word & 0xfc000000) >>> 0 === 0x14000000) return false;
  return ![JUMP_TO_REGISTER, RETURN_TO_REGISTER].includes((word & TO_REGISTER) >>> 0);
}

/** Where a branch of one instruction goes, as an address; undefined: it is none, or not to a fixed place. */
export function branchTarget(word: number, at: number): number | undefined {
  if ((word & 0xfc000000) >>> 0 === 0x14000000) return at + signed(word, 0, 26) * 4;
  if ((word & 0xff000000) >>> 0 === 0x54000000 || (word & 0x7e000000) >>> 0 === 0x34000000) return at + signed(word, 5, 19) * 4;
  if ((word & 0x7e000000) >>> 0 === 0x74000000) return at + signed(word, 5, 9) * 4;
  return (word & 0x7e000000) >>> 0 === 0x36000000 ? at + signed(word, 5, 14) * 4 : undefined;
}
