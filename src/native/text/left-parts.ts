/** Text in which sites of an earlier host may be armed. */
export interface LeftText {
  /** The text as it is now, and as its file has it: from `address` on. */
  readonly text: Uint8Array;
  readonly original: Uint8Array;
  readonly address: number;
  /** Whether an address is in the code of that host. */
  isLeft(target: number): boolean;
  /** Where that host has, or had, breakpoints. */
  readonly traps: ReadonlySet<number>;
}

/** Finds the parts of a text that lead to the code of an earlier host: from one offset to another. */
export type FindLeftParts = (text: LeftText) => readonly (readonly [from: number, to: number])[];
