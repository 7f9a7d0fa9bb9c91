import { TraceError } from '../../../base/errno.js';
import type { ElfFile } from '../elf/elf-file.js';
import type { CodeRange } from '../text/object-functions.js';
import { Decoder } from './decode.js';
import { movedCode, type PlacedCode } from './move.js';
import { nopOf } from './nops.js';
import { BRANCH_LENGTH, branch, joined } from './site.js';

/** Why no jump can take the place of the instructions at an offset of a function: sentences about the place. */
export const NO_PLACE = {
  unknown: 'is behind an instruction that fentry does not know',
  short: 'has fewer than 5 bytes up to where the program goes on elsewhere: no jump fits there',
  call: 'has a call among its first 5 bytes, and more behind it',
  target: 'has a place that is jumped to among its first 5 bytes',
  indirect: 'may have a place that is jumped to among its first 5 bytes: the function jumps to computed addresses',
  site: 'is in the function’s site: a probe of the function itself stands there',
} as const;

/** A place between two instructions of a function. */
export interface CodePlace {
  /** Bytes from the function's start. */
  readonly offset: number;
  /** Of the instructions of which a jump takes the place. */
  readonly length: number;
  /** How many these are. */
  readonly instructions: number;
  /** Present if none can. */
  readonly reason?: string;
}

interface Instruction {
  readonly offset: number;
  readonly length: number;
  readonly isCall: boolean;
  readonly isOver: boolean;
}

/** The part of a function in which its own site is, as offsets from its start. */
export type SiteRange = readonly [from: number, to: number];

/**
 * The places between the instructions of a function, and at which of them a jump to a probe's code can stand (can_optimize() of
 * arch/x86/kernel/kprobes/opt.c).
 * @param isTarget whether other functions jump to an offset
 */
export function codePlaces(code: Buffer, isTarget: (offset: number) => boolean, site?: SiteRange): readonly CodePlace[] {
  const { instructions, targets, isIndirect, end } = instructionsOf(code);
  const places = instructions.map(({ offset }, i): CodePlace => {
    const taken = takenFrom(instructions, i);
    if (typeof taken === 'string') return { offset, length: 0, instructions: 0, reason: NO_PLACE[taken] };
    const { count, length } = taken;
    const refused = (why: keyof typeof NO_PLACE): CodePlace => ({ offset, length, instructions: count, reason: NO_PLACE[why] });
    if (site !== undefined && offset < site[1] && offset + length > site[0]) return refused('site');
    for (let at = offset + 1; at < offset + length; at++) if (targets.has(at) || isTarget(at)) return refused('target');
    return isIndirect && count > 1 ? refused('indirect') : { offset, length, instructions: count };
  });
  return end < code.length ? [...places, { offset: end, length: 0, instructions: 0, reason: NO_PLACE.unknown }] : places;
}

function instructionsOf(code: Buffer): {
  readonly instructions: readonly Instruction[];
  readonly targets: ReadonlySet<number>;
  readonly isIndirect: boolean;
  readonly end: number;
} {
  const decoder = new Decoder();
  const instructions: Instruction[] = [];
  const targets = new Set<number>();
  let isIndirect = false;
  let at = 0;
  for (; at < code.length && decoder.read(code, at); at += decoder.length) {
    const { flow, length } = decoder;
    const target = decoder.target(code, at);
    if (target !== undefined && flow !== 'call') targets.add(target);
    if (flow === 'jump' && target === undefined) isIndirect = true;
    instructions.push({ offset: at, length, isCall: flow === 'call', isOver: flow === 'jump' || flow === 'return' });
  }
  return { instructions, targets, isIndirect, end: at };
}

/** As many instructions as a jump needs. */
function takenFrom(
  instructions: readonly Instruction[],
  first: number,
): { readonly count: number; readonly length: number } | 'short' | 'call' {
  let length = 0;
  for (let i = first; i < instructions.length; i++) {
    const one = instructions[i]!;
    length += one.length;
    if (length >= BRANCH_LENGTH) return { count: i - first + 1, length };
    if (one.isCall) return 'call';
    if (one.isOver) return 'short';
  }
  return 'short';
}

/** The jumps of an object that go from one function, or part of one, into the middle of another. */
export class CrossJumps {
  readonly #targets = new Set<number>();

  /** @param ranges all code of the object, by address */
  constructor(elf: ElfFile, ranges: readonly CodeRange[]) {
    const decoder = new Decoder();
    for (const { start, end } of ranges) {
      const code = elf.at(start)?.subarray(0, end - start);
      if (code === undefined) continue;
      for (let at = 0; at < code.length; at += decoder.length) {
        if (!decoder.read(code, at)) break;
        if (decoder.branchSize === 0 || decoder.flow === 'call') continue;
        const target = decoder.target(code, at)!;
        if (target < 0 || target >= code.length) this.#targets.add(start + target);
      }
    }
  }

  has(address: number): boolean {
    return this.#targets.has(address);
  }
}

/** The bytes of a jump in the place of so many bytes at an address. Throws ERANGE if the target is too far away. */
export const placeJump = (address: number, length: number, target: number): Uint8Array =>
  joined(branch('jump', address, target), nopOf(length - BRANCH_LENGTH));

/** The instructions of a place, for memory at an address, and a jump behind them. Throws ERANGE if something is out of reach. */
export function placeBody(placed: PlacedCode, { offset, length }: CodePlace, at: number): Uint8Array {
  if (length < BRANCH_LENGTH) throw new TraceError('EINVAL', 'no jump fits there');
  return movedCode(placed, offset, offset + length, at);
}
