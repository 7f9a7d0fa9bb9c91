/** A line of a filter: what functions, of what module, added or removed. */
export interface FilterPattern {
  /** The function part as written, without `!`; '' with a module means all of it. */
  readonly func: string;
  /** The module part of `func:mod:module`, or undefined when the line has none. */
  readonly module?: string;
  /** `!`: remove what matches. */
  readonly not: boolean;
}
