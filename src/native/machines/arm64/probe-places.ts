import type {
  InstructionPlace,
  PlacedCode,
  MachinePlaceFinder as PlaceFinderOfMachine,
  SiteRange,
} from '../../text/code-place.js';
import { branch, bytesOf, INSTRUCTION_LENGTH, signsReturn, wordsOf } from './encode.js';
import { literalOf, movedInstruction } from './move.js';

/** brk #0xfc1f. */
const BRK = 0xd43f83e0;
export const BREAKPOINT = bytesOf([BRK]);

/** Why no probe can stand at an offset of a function: sentences about the place. */
export const NO_PLACE = {
  data: 'is no instruction, but data',
  site: 'is in the function’s site: a probe of the function itself stands there',
  own: 'has a breakpoint of the program itself',
  pad: 'is where an indirect jump may arrive: nothing may take its place',
  exclusive: 'is among instructions that load and store exclusively: nothing may come between them',
} as const;

/** How far a store may be behind the load that belongs to it, in instructions. */
const MOST_EXCLUSIVE = 32;

const isBreakpoint = (word: number): boolean => (word & 0xffe0001f) >>> 0 === 0xd4200000;
/** udf, which data is taken for. */
const isUndefined = (word: number): boolean => word >>> 16 === 0;
/** bti, of each kind. */
const isLandingPad = (word: number): boolean => (word & ~0xc0) >>> 0 === 0xd503241f;
/** ldxr, stxr, and those of pairs or with an order; casp has the same bits but one. */
const isExclusive = (word: number): boolean =>
  (word & 0x3f800000) >>> 0 === 0x08000000 && (word & 0x80200000) >>> 0 !== 0x00200000;
const isLoad = (word: number): boolean => (word & 0x00400000) !== 0;

/**
 * Which instructions belong to a load and a store that are exclusive (is_probed_address_atomic() of
 * arch/arm64/kernel/probes/decode-insn.c).
 */
function exclusiveOnes(words: readonly number[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [i, word] of words.entries()) {
    if (!isExclusive(word)) continue;
    found.add(i);
    if (!isLoad(word)) continue;
    const length = words.slice(i + 1, i + 1 + MOST_EXCLUSIVE).findIndex((one) => isExclusive(one) && !isLoad(one));
    for (let n = 1; n <= length; n++) found.add(i + n);
  }
  return found;
}

/** The words that instructions of the function read as data. */
function literals(words: readonly number[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [i, word] of words.entries()) {
    const read = literalOf(word, i * INSTRUCTION_LENGTH);
    if (read === undefined) continue;
    for (let at = 0; at < read.bytes; at += INSTRUCTION_LENGTH) found.add((read.address + at) / INSTRUCTION_LENGTH);
  }
  return found;
}

/** The places of a function: a branch takes the place of any instruction that can run elsewhere. */
export function codePlaces(code: Buffer, site?: SiteRange): readonly InstructionPlace[] {
  const words = wordsOf(code);
  const [exclusive, data] = [exclusiveOnes(words), literals(words)];
  const reasonOf = (word: number, i: number): keyof typeof NO_PLACE | undefined => {
    const offset = i * INSTRUCTION_LENGTH;
    if (site !== undefined && offset >= site[0] && offset < site[1]) return 'site';
    if (data.has(i) || isUndefined(word)) return 'data';
    if (isBreakpoint(word)) return 'own';
    if (isLandingPad(word) || (i === 0 && signsReturn(word))) return 'pad';
    return exclusive.has(i) ? 'exclusive' : undefined;
  };
  return words.map((word, i) => {
    const reason = reasonOf(word, i);
    const place = { offset: i * INSTRUCTION_LENGTH, length: INSTRUCTION_LENGTH, instructions: 1 };
    return reason === undefined ? place : { ...place, reason: NO_PLACE[reason] };
  });
}

/** Finds places: what jumps to them does not matter, since only one instruction moves. */
export class PlaceFinder implements PlaceFinderOfMachine {
  places(code: Buffer, _start: number, site: SiteRange | undefined): readonly InstructionPlace[] {
    return codePlaces(code, site);
  }
}

export const placeJump = (address: number, _length: number, target: number): Uint8Array =>
  bytesOf([branch('jump', address, target)]);

export const placeBody = ({ code, address }: PlacedCode, { offset }: InstructionPlace, at: number): Uint8Array =>
  bytesOf(movedInstruction(code.readUInt32LE(offset), address + offset, at, 'all registers count'));
