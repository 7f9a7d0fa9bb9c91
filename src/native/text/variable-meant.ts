import { isAggregate, memberOf, plainType } from '../dwarf/c-type.js';
import type { LocatedVariable } from '../dwarf/debug-function.js';

/** A variable, and the members that follow it. */
export interface MeantVariable {
  readonly variable: LocatedVariable;
  readonly path: readonly string[];
}

/**
 * The variable that a name and what follows it mean at a place, as C++ looks for names: one of the function, a member of `this`,
 * one outside of functions, which may have its namespaces and classes before it. Undefined: none.
 * @param words the name, and those behind its dots and arrows
 */
export function variableMeant(known: readonly LocatedVariable[], words: readonly string[]): MeantVariable | undefined {
  const [name, ...path] = words as [string, ...string[]];
  const named = known.find((variable) => variable.name === name);
  const plain = named && { variable: named, path };
  if (named?.kind !== 'module variable' && plain !== undefined) return plain;
  const self = known.find((variable) => variable.name === 'this');
  const pointed = plainType(plainType(self?.type)?.type);
  const member = isAggregate(pointed) ? memberOf(pointed!, name) : undefined;
  const ofThis = member && self && { variable: self, path: words };
  return (member?.absent === undefined ? ofThis : undefined) ?? plain ?? qualified(known, words) ?? ofThis;
}

/** `shop.Customer.count.low`: as many words as there are in the end of a variable's path, then members. */
function qualified(known: readonly LocatedVariable[], words: readonly string[]): MeantVariable | undefined {
  for (let length = words.length; length > 1; length--) {
    const asked = `.${words.slice(0, length).join('.')}`;
    const variable = known.find(({ path }) => path !== undefined && `.${path.join('.')}`.endsWith(asked));
    if (variable !== undefined) return { variable, path: words.slice(length) };
  }
  return undefined;
}
