import { syncBuiltinESMExports } from 'node:module';
import { replaceMethod } from '../realm/lookalike.js';
import { type Undo, undoAll } from '../realm/undo.js';

type AnyMethod = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Replaces functions that modules of Node export, for named imports too. A function that several objects have, such as a module
 * and the global object, stays one.
 * @param make receives the original and its name, and returns the stand-in, which must be a method or an arrow
 */
export function replaceExports(
  holders: readonly object[],
  names: readonly string[],
  make: (original: AnyMethod, name: string) => AnyMethod,
): Undo {
  const undos = names.flatMap((name) => {
    let standIn: AnyMethod | undefined;
    return holders.map((holder) =>
      replaceMethod<AnyMethod>(holder, name, (original) => {
        standIn ??= make(original, name);
        return standIn;
      }),
    );
  });
  syncBuiltinESMExports();
  return () => {
    undoAll(undos)();
    syncBuiltinESMExports();
  };
}
