import { defineProperty, getOwnPropertyDescriptor } from '../realm/primordials.js';

/** The own properties by which Node tells of code caches. */
const KEYS = ['cachedDataRejected', 'cachedDataProduced', 'cachedData'] as const;

/** Has `to` tell of code caches what `from`, which was made of the text without sites, does. */
export const copyCacheKeys = (from: object, to: object): void => {
  for (let i = 0; i < KEYS.length; i++) {
    const descriptor = getOwnPropertyDescriptor(from, KEYS[i]!);
    if (descriptor !== undefined) defineProperty(to, KEYS[i]!, descriptor);
  }
};

/** The options without those of code caches: V8 would take one that was made of another text of the same length. */
export const withoutCache = (options: unknown): unknown =>
  typeof options === 'object' ? { ...options, cachedData: undefined, produceCachedData: false } : options;
