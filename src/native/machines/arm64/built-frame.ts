import type { BuiltFrame } from '../../text/site.js';

/**
 * How a function has built the frame in which a call of `_mcount` finds it, as gcc and clang compile prologues: the stack pointer
 * goes down by constants, the frame pointer and the return address are stored, and the frame pointer is set to their place.
 */

const [FRAME_POINTER, LINK] = [29, 30];
/** `paciasp` and `pacibsp`: the return address is signed with one of two keys, and with the stack pointer. */
const SIGNING: Readonly<Record<number, BuiltFrame['key']>> = { 3573752639: 'a', 3573752703: 'b' };

/** movz and movk of 64 bits have this in common. */
const MOVE = 0xd2800000;

/** The stack pointer and the registers as far as they are followed, from the stack pointer at the entry. */
interface State {
  /** Bytes that the stack pointer has gone down. */
  down: number;
  /** Bytes below the stack pointer at the entry where the frame pointer and the return address are. */
  record?: number;
  /** Constants that registers have. */
  readonly constants: Map<number, number>;
  frame?: BuiltFrame;
}

/** An instruction that matters, and what it does; false: it does what prologues do not. */
interface Step {
  readonly mask: number;
  readonly is: number;
  take(state: State, word: number): boolean;
}

const rd = (word: number): number => word & 31;
const first = rd;
const second = (word: number): number => (word >>> 10) & 31;
/** A field of some bits with their sign, scaled. */
const signed = (word: number, from: number, bits: number, scale = 1): number =>
  ((word << (32 - from - bits)) >> (32 - bits)) * scale;
const immediate = (word: number): number => ((word >>> 10) & 0xfff) << (word & (1 << 22) ? 12 : 0);
const half = (word: number): number => ((word >>> 5) & 0xffff) * 2 ** (16 * ((word >>> 21) & 3));
const isRecord = (word: number): boolean => first(word) === FRAME_POINTER && second(word) === LINK;
const refuse = (): boolean => false;

const goDown = (state: State, bytes: number): boolean => {
  state.down += bytes;
  return bytes > 0;
};

/** stp with a changed base: of general registers, or of vector registers of 64 or 128 bits. */
const storePair = (is: number, scale: number): Step => ({
  mask: 0xffc003e0,
  is,
  take(state, word) {
    const isDown = goDown(state, -signed(word, 15, 7, scale));
    if (is === 0xa98003e0 && isRecord(word)) state.record = state.down;
    return isDown;
  },
});

/** The stack pointer is register 31 in all of them. */
const STEPS: readonly Step[] = [
  storePair(0xa98003e0, 8),
  storePair(0x6d8003e0, 8),
  storePair(0xad8003e0, 16),
  // str with a changed base: one register.
  { mask: 0xffe00fe0, is: 0xf8000fe0, take: (state, word) => goDown(state, -signed(word, 12, 9)) },
  { mask: 0xffe00fe0, is: 0xfc000fe0, take: (state, word) => goDown(state, -signed(word, 12, 9)) },
  // sub sp, sp, IMMEDIATE
  { mask: 0xff8003ff, is: 0xd10003ff, take: (state, word) => goDown(state, immediate(word)) },
  // movz and movk of 64 bits, and sub sp, sp, REGISTER
  { mask: 0xff800000, is: MOVE, take: ({ constants }, word) => Boolean(constants.set(rd(word), half(word))) },
  {
    mask: 0xff800000,
    is: 0xf2800000,
    take: ({ constants }, word) => Boolean(constants.set(rd(word), (constants.get(rd(word)) ?? Number.NaN) + half(word))),
  },
  {
    mask: 0xffe0ffff,
    is: 0xcb2063ff,
    take: (state, word) => goDown(state, state.constants.get((word >>> 16) & 31) ?? Number.NaN),
  },
  // stp x29, x30, [sp, DISTANCE]
  {
    mask: 0xffc003e0,
    is: 0xa90003e0,
    take(state, word) {
      if (isRecord(word)) state.record = state.down - signed(word, 15, 7, 8);
      return true;
    },
  },
  // add x29, sp, DISTANCE: the frame is built.
  {
    mask: 0xff8003ff,
    is: 0x910003fd,
    take(state, word) {
      const bytes = state.down - immediate(word);
      if (bytes === state.record) state.frame = { bytes };
      return state.frame !== undefined;
    },
  },
  // All else that changes the stack pointer: add, ldp, ldr.
  { mask: 0xff80001f, is: 0x9100001f, take: refuse },
  { mask: 0xffe0001f, is: 0x8b20001f, take: refuse },
  { mask: 0xffe0001f, is: 0xcb20001f, take: refuse },
  { mask: 0xffc003e0, is: 0xa8c003e0, take: refuse },
  { mask: 0xffe00fe0, is: 0xf84007e0, take: refuse },
  // What goes elsewhere: b, bl; with a condition; to a register.
  { mask: 0x7c000000, is: 0x14000000, take: refuse },
  { mask: 0xff000000, is: 0x54000000, take: refuse },
  { mask: 0x7c000000, is: 0x34000000, take: refuse },
  { mask: 0xfe000000, is: 0xd6000000, take: refuse },
];

/** The frame that a function's first instructions build; undefined: they are of another kind. */
export function builtFrame(words: readonly number[]): BuiltFrame | undefined {
  const state: State = { down: 0, constants: new Map() };
  let key: BuiltFrame['key'];
  for (const word of words) {
    key ??= SIGNING[word];
    const step = STEPS.find(({ mask, is }) => (word & mask) >>> 0 === is);
    if (step !== undefined && !step.take(state, word)) return undefined;
    // Anything else may have changed such a register.
    if ((word & 0xdf800000) >>> 0 !== MOVE) state.constants.clear();
    if (state.frame !== undefined) return key === undefined ? state.frame : { ...state.frame, key };
  }
  return undefined;
}
