// For a test262 runner: sites at statements too, and every site of both kinds calls a hook.
import { createTransform } from './instrumented.mjs';
import { armed } from './transform-armed.mjs';

export const { transform, realm } = createTransform(armed, (index) => {
  if (typeof index !== 'number') throw 'a statement without its number';
});
