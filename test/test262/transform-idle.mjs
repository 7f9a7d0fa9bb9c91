// For a test262 runner: every site present, every cell idle.
import { createTransform } from './instrumented.mjs';

/** What the realm of a test gets. */
export const idle = (services) => (define, prefix, first, coroutines) => {
  for (const service of services) define(prefix + service, 0);
  for (let i = 0; i < coroutines.length; i++) define(prefix + (first + i), 0);
};

export const { transform, realm } = createTransform(idle);
