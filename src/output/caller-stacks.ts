/**
 * Guesses the depth of a function from its caller: each CPU keeps the last chain of functions, and a function is one below its
 * caller. Deeper entries stay until they are overwritten.
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
