import type { ElfFile } from '../../elf/elf-file.js';
import type {
  InstructionPlace,
  PlacedCode,
  MachinePlaceFinder as PlaceFinderOfMachine,
  SiteRange,
} from '../../text/code-place.js';
import type { CodeRange } from '../../text/object-functions.js';
import { USE } from '../../text/start-places.js';
import { codeUses } from './code-uses.js';
import { Decoder } from './decode.js';
import { movedCode } from './move.js';
import { BRANCH_LENGTH, branchAndNop, INT3 } from './site.js';

export const BREAKPOINT = Uint8Array.of(INT3);

/** Why no probe can stand at an offset of a function: sentences about the place. */
export const NO_PLACE = {
  unknown: 'is behind an instruction that fentry does not know',
  site: 'is in the function’s site: a probe of the function itself stands there',
  own: 'has a breakpoint of the program itself',
} as const;

/** Why no jump can take the place of the instructions there: then an INT3 takes that of the first byte. */
export const NO_JUMP_PLACE = {
  short: 'has fewer than 5 bytes up to where the program goes on elsewhere: no jump fits there',
  call: 'has a call among its first 5 bytes, and more behind it',
  target: 'has a place that is jumped to among its first 5 bytes, or whose address is somewhere',
  indirect: 'may have a place that is jumped to among its first 5 bytes: the function jumps to computed addresses',
  site: 'has the function’s site among its first 5 bytes',
} as const;

interface Instruction {
  readonly offset: number;
  readonly length: number;
  readonly isCall: boolean;
  readonly isOver: boolean;
}

/**
 * The places between the instructions of a function, and at which of them a jump to a probe's code can stand (can_optimize() of
 * arch/x86/kernel/kprobes/opt.c), or else an INT3 (can_probe() of its core.c).
 * @param isTarget whether other functions jump to an offset, or its address is somewhere
 */
export function codePlaces(code: Buffer, isTarget: (offset: number) => boolean, site?: SiteRange): readonly InstructionPlace[] {
  const { instructions, targets, isIndirect, end } = instructionsOf(code);
  const isInSite = (offset: number, length: number): boolean =>
    site !== undefined && offset < site[1] && offset + length > site[0];
  const whyNoJump = (offset: number, { count, length }: TakenInstructions): keyof typeof NO_JUMP_PLACE | undefined => {
    if (isInSite(offset, length)) return 'site';
    for (let at = offset + 1; at < offset + length; at++) if (targets.has(at) || isTarget(at)) return 'target';
    return isIndirect && count > 1 ? 'indirect' : undefined;
  };
  const places = instructions.map(({ offset, length }, i): InstructionPlace => {
    const one = { offset, length, instructions: 1 };
    if (isInSite(offset, length)) return { ...one, reason: NO_PLACE.site };
    if (code[offset] === INT3) return { ...one, reason: NO_PLACE.own };
    const taken = takenFrom(instructions, i);
    const why = typeof taken === 'string' ? taken : whyNoJump(offset, taken);
    if (why !== undefined) return { ...one, noJump: NO_JUMP_PLACE[why] };
    const { count, length: all } = taken as TakenInstructions;
    return { offset, length: all, instructions: count };
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

interface TakenInstructions {
  readonly count: number;
  readonly length: number;
}

/** Takes as many instructions as a jump needs. */
function takenFrom(instructions: readonly Instruction[], first: number): TakenInstructions | 'short' | 'call' {
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

/** Finds places, with what the object's functions and data have of the middle of functions: jumps from others, and addresses. */
export class PlaceFinder implements PlaceFinderOfMachine {
  readonly #targets = new Set<number>();

  constructor(elf: ElfFile, ranges: () => readonly CodeRange[]) {
    const all = ranges();
    const starts = new Set(all.map(({ start }) => start));
    codeUses(elf, all, (address, use, by) => {
      const isOwn = by !== undefined && address >= by.start && address < by.end;
      if (!isOwn && (use & (USE.jumped | USE.pointed)) !== 0 && !starts.has(address)) this.#targets.add(address);
    });
  }

  places(code: Buffer, start: number, site: SiteRange | undefined): readonly InstructionPlace[] {
    return codePlaces(code, (offset) => this.#targets.has(start + offset), site);
  }
}

/** The bytes of a jump in the place of so many bytes at an address. Throws ERANGE if the target is too far away. */
export const placeJump = (address: number, length: number, target: number): Uint8Array =>
  branchAndNop('jump', address, target, length);

/** The instructions of a place, for memory at an address, and a jump behind them. Throws ERANGE if something is out of reach. */
export const placeBody = (placed: PlacedCode, { offset, length }: InstructionPlace, at: number): Uint8Array =>
  movedCode(placed, offset, offset + length, at);
