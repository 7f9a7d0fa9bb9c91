/** A symbol as the formatter needs it: its texts are created once, and a line of trace only copies them. */
export interface TextSymbol {
  readonly name: string;
  /** '' for the application's own package and fentry's own text. */
  readonly module: string;
  readonly low: number;
  /** In source units. */
  readonly size: number;
  readonly params: readonly string[];
  /** kallsyms letter: `t` for functions of a module's scope, `T` for fentry's own. */
  readonly type: string;
}
