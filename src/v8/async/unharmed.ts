import { ReflectApply as reflectApply } from '../../base/primordials.js';

/**
 * A function that does the same and never throws: Node ends a program whose async hook throws, and an error in a callback of
 * fentry must not become an uncaught error of the program. What fails is not measured.
 */
export function unharmed<Args extends readonly unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
  return (...args) => {
    try {
      reflectApply(work, undefined, args as never);
    } catch {
      // The stack is full, or memory is short.
    }
  };
}
