import type { AsyncHook } from 'node:async_hooks';
import { withOwnBuiltInsNext } from '../realm/own-built-ins.js';

/**
 * Disables a hook. Node takes its hook of promises away in a microtask, by an iterator that the program may have replaced: what
 * that throws would end the program.
 */
export const disableHook = (hook: AsyncHook): void => withOwnBuiltInsNext(() => void hook.disable());
