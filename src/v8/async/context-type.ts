import asyncHooks from 'node:async_hooks';
import { StringPrototypeToUpperCase } from '../../base/primordials.js';
import { createKindOf } from './turn-kind.js';

// The types of Node 20 lack it.
const { asyncWrapProviders } = asyncHooks as unknown as { asyncWrapProviders: Readonly<Record<string, number>> };

const kindOf = createKindOf();

/** Classes whose contexts async_hooks calls something else. */
const TYPES: Readonly<Record<string, string | undefined>> = {
  __proto__: null as never,
  HTTPServerAsyncResource: 'HTTPINCOMINGMESSAGE',
  HTTPClientAsyncResource: 'HTTPCLIENTREQUEST',
};

/** The number of each type of context that Node itself makes, by its name. */
export const PROVIDERS: Readonly<Record<string, number | undefined>> = Object.assign(Object.create(null), asyncWrapProviders);

/**
 * The type of the context of a resource, as async_hooks would have named it at its creation. Of a class that Node does not have,
 * the class's name. Runs no code of the program.
 */
export function contextType(resource: object): string {
  const { name } = kindOf(resource);
  const upper = StringPrototypeToUpperCase(name);
  if (PROVIDERS[upper] !== undefined) return upper;
  const wrap = `${upper}WRAP`;
  return TYPES[name] ?? (PROVIDERS[wrap] === undefined ? name : wrap);
}
