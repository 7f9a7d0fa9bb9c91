/** What a program asks for: a live patch of its own, which has a number of the thread's. */
export type LivepatchRequest = { readonly id: number } & (
  | {
      readonly action: 'load' | 'prepare';
      readonly name: string;
      /** Absolute. */
      readonly path: string;
    }
  | { readonly action: 'enable' | 'disable' | 'force' }
);

/** The state of a live patch, as its files show it. */
export interface LivepatchState {
  /** What it is, or becomes when its transition is over. */
  readonly enabled: boolean;
  /** A thread has not gone over yet. */
  readonly transition: boolean;
  /** Whether the patch was disabled, and its transition is over. */
  readonly isGone: boolean;
  /** What it replaces: `OBJECT/FUNCTION,SYMPOS`. */
  readonly functions: readonly string[];
}
