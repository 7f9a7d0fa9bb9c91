/** Depth of a token: what is left of it below the number of its session (ftrace/fgraph.ts). */
type DepthOf = (token: number) => number;

/**
 * Activations of functions with breakpoints that have entered and not returned. A return's breakpoint knows only its function:
 * it ends the innermost activation of that function, and those above, which exceptions have ended.
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
    // Activations at this depth or deeper have ended.
    while (open > 0 && this.#depthOf(this.#tokens[open - 1]!) >= depth) open--;
    this.#cut(open);
    this.#functions[open] = n;
    this.#tokens[open] = token;
  }

  /** Closes the innermost activation of function `n` and returns its token; undefined if none is open. */
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
