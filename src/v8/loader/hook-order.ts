import * as module from 'node:module';
import { replaceMethod } from '../realm/lookalike.js';
import { reflectApply } from '../realm/primordials.js';
import { type Undo, undoAll } from '../realm/undo.js';

type AnyRegister = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Calls `after` whenever the program has registered load hooks (`module.register`, `module.registerHooks`): the hook that was
 * registered last is called first, and fentry must see the result of all the others.
 */
export const afterRegistrations = (names: readonly ('register' | 'registerHooks')[], after: () => void): Undo => {
  const exports = module.default as unknown as Record<string, unknown>;
  const undos: Undo[] = [];
  for (const name of names) {
    if (typeof exports[name] !== 'function') continue;
    const undo = replaceMethod<AnyRegister>(
      exports,
      name,
      (native) =>
        ({
          register(this: unknown, ...args: unknown[]): unknown {
            const result = reflectApply(native, this, args);
            after();
            return result;
          },
        }).register,
    );
    undos.push(undo);
  }
  module.syncBuiltinESMExports();
  return () => {
    undoAll(undos)();
    module.syncBuiltinESMExports();
  };
};
