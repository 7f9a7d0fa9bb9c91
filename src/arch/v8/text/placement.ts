/**
 * Where V8 says that a text begins, when that is not the first place of the first line: the offsets that a program gives the
 * `vm` module, or what V8 puts around the body of a function that was made from text. Never negative but `columns`.
 */
export interface Placement {
  /** Lines before the text's first line. */
  readonly lines: number;
  /** Columns before the first line's first column; no other line has them. */
  readonly columns: number;
  /** UTF-16 units before the text's first unit, as `CallSite.getPosition` counts them. */
  readonly units: number;
}
