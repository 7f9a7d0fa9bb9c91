/** Depth of a token: what is left of it below the number of its session (ftrace/fgraph.ts). */
type DepthOf = (token: number) => number;

/**
 * Activations of functions with breakpoints that have entered and not returned. A return's breakpoint knows only its
 * function: it ends the innermost activation of that, and those above, which exceptions took.
 */
export class OpenActivations {
  readonly #functions: number[] = [];
  readonly #tokens: number[] = [];
  readonly #depthOf: DepthOf;

  constructor(depthOf: DepthOf) {
    this.#depthOf = depthOf;
  }

  entered(n: number, token: number): void {
    const depth = this.#depthOf(token);
    let open = this.#tokens.length;
    // What stood as deep as this one or deeper is gone.
    while (open > 0 && this.#depthOf(this.#tokens[open - 1]!) >= depth) open--;
    this.#cut(open);
    this.#functions[open] = n;
    this.#tokens[open] = token;
  }

  /** The token of the innermost activation of function `n`, which is closed; undefined when none is open. */
  left(n: number): number | undefined {
    for (let i = this.#functions.length - 1; i >= 0; i--) {
      if (this.#functions[i] !== n) continue;
      const token = this.#tokens[i];
      this.#cut(i);
      return token;
    }
    return undefined;
  }

  #cut(length: number): void {
    this.#functions.length = length;
    this.#tokens.length = length;
  }
}
