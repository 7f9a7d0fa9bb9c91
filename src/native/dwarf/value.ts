import type { Fetch } from '../../probes/probe-definition.js';

/** A number that is known when a probe is hit: what a probe fetches, and so much more; or without a fetch a constant. */
export interface Sum {
  readonly fetch?: Fetch;
  readonly addend: number;
}

/** Where something is at a place of the code, or why it is nowhere. */
export type Location =
  | { readonly kind: 'memory'; readonly address: Sum }
  /** In a register or computed from one: from a byte of it on. `bytes`: more than so many of it are something else. */
  | { readonly kind: 'value'; readonly value: Sum; readonly byte: number; readonly bytes?: number }
  | { readonly kind: 'pieces'; readonly pieces: readonly { readonly size: number; readonly at: Location }[] }
  /** No value: `why` is the rest of a sentence about it. */
  | { readonly kind: 'nowhere'; readonly why: string };

export const nowhere = (why: string): Location => ({ kind: 'nowhere', why });

export const constant = (addend: number): Sum => ({ addend });
export const plus = (sum: Sum, more: number): Sum => ({ ...sum, addend: sum.addend + more });

/** What memory has at an address, as a fetch. */
export const fetchedFrom = ({ fetch, addend }: Sum): Fetch =>
  fetch === undefined
    ? { kind: 'dereference', of: { kind: 'address', address: BigInt.asUintN(64, BigInt(addend)) }, offset: 0 }
    : { kind: 'dereference', of: fetch, offset: addend };

/** The word at an address. */
export const wordFrom = (address: Sum): Sum => ({ fetch: fetchedFrom(address), addend: 0 });

/** What is so many bytes behind the start of something. */
export function partOf(location: Location, offset: number): Location {
  if (location.kind === 'memory') return { kind: 'memory', address: plus(location.address, offset) };
  if (location.kind === 'value') return { ...location, byte: location.byte + offset };
  if (location.kind === 'nowhere') return location;
  let from = 0;
  for (const { size, at } of location.pieces) {
    if (offset < from + size) return partOf(at, offset - from);
    from += size;
  }
  return nowhere('has fewer bytes than its type');
}
