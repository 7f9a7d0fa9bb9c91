import type { SiteTable } from '../elf/site-tables.js';
import type { BuiltFrame, ReturnSlot, SiteForm } from './site.js';

/**
 * Whether a function has a site: that of its compiler, or one where a jump takes the place of instructions. A larger number: why
 * it has none.
 */
export const VERDICT = { COMPILED: 0, JUMP: 1, REASONS: 2 } as const;

const FORMS: readonly SiteForm[] = ['nop', 'fentry', 'mcount', 'xray', 'jump'];
const TABLES: readonly (SiteTable | undefined)[] = [undefined, '__patchable_function_entries', '__mcount_loc', 'xray_instr_map'];
const SLOTS: readonly ReturnSlot[] = ['top', 'frame', 'copy'];
/** How a frame is told: not at all, or with the key by which its return address is signed. */
const FRAMES: readonly (BuiltFrame['key'] | null)[] = [null, undefined, 'a', 'b'];

/** Where a site lies that a compiler has left, and what it is. */
export interface SiteShape {
  /** From the function's start. */
  readonly at: number;
  readonly length: number;
  readonly form: SiteForm;
  readonly table: SiteTable | undefined;
  readonly returnSlot: ReturnSlot;
  readonly frame: BuiltFrame | undefined;
}

/**
 * What is known of the functions of an object, by address: what takes seconds to find out in one of 100 MB. The same wherever it
 * is mapped. In typed arrays, which a file can hold.
 */
export interface FunctionFacts {
  readonly count: number;
  /** Addresses of the file. */
  readonly starts: Float64Array;
  /** Bytes from the start to the end. */
  readonly sizes: Uint32Array;
  /** The end of each name in `names`, where it follows the one before. */
  readonly nameEnds: Uint32Array;
  /** Names as shown, in ASCII. */
  readonly names: Buffer;
  /** `TextFunction.kind` */
  readonly kinds: Uint8Array;
  /** VERDICT */
  readonly verdicts: Uint8Array;
  readonly reasons: readonly string[];
  /** Where sites are, from the function's start, and their bytes. */
  readonly siteAt: Uint32Array;
  readonly siteLengths: Uint8Array;
  /** How many bytes of a site are instructions, where a jump takes their place. */
  readonly siteMoved: Uint8Array;
  /** Shapes of compiled sites. */
  readonly siteShapes: Uint16Array;
  readonly frameBytes: Uint32Array;
}

/** Arrays for so many functions. */
export const emptyFacts = (count: number): Omit<FunctionFacts, 'names' | 'reasons'> => ({
  count,
  starts: new Float64Array(count),
  sizes: new Uint32Array(count),
  nameEnds: new Uint32Array(count),
  siteAt: new Uint32Array(count),
  kinds: new Uint8Array(count),
  verdicts: new Uint8Array(count),
  siteLengths: new Uint8Array(count),
  siteMoved: new Uint8Array(count),
  siteShapes: new Uint16Array(count),
  frameBytes: new Uint32Array(count),
});

/** Where a jump takes the place of instructions. */
export interface JumpShape extends Pick<SiteShape, 'at' | 'length'> {
  /** How many of its bytes are instructions. */
  readonly moved: number;
}

/** Says where a jump takes the place of instructions of function `i`. */
export function setJump(facts: ReturnType<typeof emptyFacts>, i: number, { at, length, moved }: JumpShape): void {
  facts.siteAt[i] = at;
  facts.siteLengths[i] = length;
  facts.siteMoved[i] = moved;
}

/** Says what the site of function `i` is that its compiler has left. */
export function setShape(facts: ReturnType<typeof emptyFacts>, i: number, shape: SiteShape): void {
  const { at, length, form, table, returnSlot, frame } = shape;
  facts.siteAt[i] = at;
  facts.siteLengths[i] = length;
  facts.frameBytes[i] = frame?.bytes ?? 0;
  const key = FRAMES.indexOf(frame === undefined ? null : frame.key);
  facts.siteShapes[i] = FORMS.indexOf(form) | (TABLES.indexOf(table) << 3) | (SLOTS.indexOf(returnSlot) << 5) | (key << 7);
}

/** What it was said to be. */
export function shapeOf({ siteAt, siteLengths, siteShapes, frameBytes }: FunctionFacts, i: number): SiteShape {
  const shape = siteShapes[i]!;
  const key = FRAMES[shape >> 7];
  return {
    at: siteAt[i]!,
    length: siteLengths[i]!,
    form: FORMS[shape & 7]!,
    table: TABLES[(shape >> 3) & 3],
    returnSlot: SLOTS[(shape >> 5) & 3]!,
    frame: key === null ? undefined : { bytes: frameBytes[i]!, key },
  };
}

export const nameOf = ({ names, nameEnds }: FunctionFacts, i: number): string =>
  names.toString('latin1', i === 0 ? 0 : nameEnds[i - 1]!, nameEnds[i]!);
