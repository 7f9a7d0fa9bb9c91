/** The data of an entry or exit record besides its function and depth. One object serves all records: who keeps one copies it. */
export interface EntryFacts {
  readonly isResumed: boolean;
  readonly args: string;
  readonly context: number;
  readonly activation: number | undefined;
}
export interface ExitFacts {
  /** ns of the clock. */
  readonly returned: number;
  /** ns from the call to the return. */
  readonly call: number;
  readonly isSuspended: boolean;
  readonly value: string;
  readonly context: number;
  readonly activation: number | undefined;
}
