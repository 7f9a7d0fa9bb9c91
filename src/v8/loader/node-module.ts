import * as module from 'node:module';

const NAME = 'node:module';

/** Node's `module` with all of its functions: Node 20 adds some when it is loaded by its name. */
export const nodeModule = (): typeof module =>
  (process.getBuiltinModule?.(NAME) ?? module.createRequire(import.meta.url)(NAME)) as unknown as typeof module;
