/**
 * Where a text begins for V8, if that is not the first place of the first line: the offsets that a program gives the `vm`
 * module, or what V8 puts around the body of a function that was made from text. Only `columns` can be negative.
 */
export interface Placement {
  /** Lines before the text's first line. */
  readonly lines: number;
  /** Columns before the first line's first column; no other line has them. */
  readonly columns: number;
  /** UTF-16 units before the text's first unit, as `CallSite.getPosition` counts them. */
  readonly units: number;
}
