// For a test262 runner: every site present, every cell idle.
import { createTransform } from './instrumented.mjs';

export const { transform, realm } = createTransform((services) => (define, prefix, first, kinds) => {
  for (const service of services) define(prefix + service, 0);
  for (let i = 0; i < kinds.length; i++) define(prefix + (first + i), 0);
});
