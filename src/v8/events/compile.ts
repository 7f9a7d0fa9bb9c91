import { fileURLToPath } from 'node:url';
import { vmCompileFunction as compileFunction } from '../../base/primordials.js';

/** A path in fentry's own folder, whose frames the program is not shown. */
const FILE = fileURLToPath(new URL('generated-event-code.js', import.meta.url));

/**
 * Makes a function of generated text: also where `--disallow-code-generation-from-strings` forbids `eval` and `new Function`.
 * @param text ends with `return FUNCTION`
 * @param values the variables that the text uses
 */
export function compile<F>(text: string, values: Readonly<Record<string, unknown>>): F {
  const make = compileFunction(`"use strict";\n${text}`, Object.keys(values), { filename: FILE });
  return make(...Object.values(values)) as F;
}
