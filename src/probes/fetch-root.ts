import type { Fetch } from './probe-definition.js';

/** The fetch with which a chain of properties and dereferences begins: `req` in `req.headers.host`. */
export function fetchRoot(fetch: Fetch): Fetch {
  let root = fetch;
  while ('of' in root) root = root.of;
  return root;
}

/** A fetch's chain with another root. */
export const withFetchRoot = (fetch: Fetch, change: (root: Fetch) => Fetch): Fetch =>
  'of' in fetch ? { ...fetch, of: withFetchRoot(fetch.of, change) } : change(fetch);

/** The name of the parameter, variable or field that a fetch reads; undefined if it reads something else. */
export function variableOf(fetch: Fetch): string | undefined {
  const root = fetchRoot(fetch);
  return root.kind === 'variable' ? root.name : undefined;
}
