import { defineProperty, getOwnPropertyDescriptor } from '../realm/primordials.js';

/** The own properties in which Node reports code caches. */
const KEYS = ['cachedDataRejected', 'cachedDataProduced', 'cachedData'] as const;

/** Makes `to` report the same about code caches as `from`, which was made from the text without sites. */
export const copyCacheKeys = (from: object, to: object): void => {
  for (let i = 0; i < KEYS.length; i++) {
    const descriptor = getOwnPropertyDescriptor(from, KEYS[i]!);
    if (descriptor !== undefined) defineProperty(to, KEYS[i]!, descriptor);
  }
};

/** The options without those of code caches: V8 would take one that was made of another text of the same length. */
export const withoutCache = (options: unknown): unknown =>
  typeof options === 'object' ? { ...options, cachedData: undefined, produceCachedData: false } : options;
