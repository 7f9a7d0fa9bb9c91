/**
 * Guesses how deep a function stands from who called it: each CPU keeps the chain of functions seen last,
 * and a function comes one below its caller. What stood deeper is not forgotten until it is written over.
 */
export class CallerStacks {
  readonly #stacks: number[][] = [];

  /** The depth of the caller (0 when it was not in the chain). Functions are numbers of 1 or more; 0 is unknown. */
  depth(cpu: number, parent: number, child: number): number {
    const stack = (this.#stacks[cpu] ??= []);
    const length = stack.length;
    for (let i = 0; i < length; i++) {
      if (stack[i] === parent) {
        if (child !== 0) stack[i + 1] = child;
        return i;
      }
    }
    stack[0] = parent;
    if (child !== 0) stack[1] = child;
    return 0;
  }
}
