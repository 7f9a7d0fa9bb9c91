import { PROBE_HIT } from '../shared/probe-hit.js';
import { TRACEPOINT_CELLS } from '../shared/tracepoint-cells.js';
import { replaceMethod } from './lookalike.js';
import { charCodeAt, reflectApply, startsWith } from './primordials.js';
import type { ThreadCells } from './thread-cells.js';
import { type Undo, undoAll } from './undo.js';

const ZERO = 48;
const NINE = 57;
const L = 108;

/**
 * Whether a key of the global object is a cell: a known prefix, then digits only, one letter, or an l and digits; or one of
 * fentry's own tracepoints, or what its probes call.
 */
const isCell = (prefixes: readonly string[], key: PropertyKey): boolean => {
  if (typeof key !== 'string') return false;
  if (key === PROBE_HIT || startsWith(key, TRACEPOINT_CELLS)) return true;
  for (let i = 0; i < prefixes.length; i++) {
    const prefix = prefixes[i] as string;
    if (key.length <= prefix.length || !startsWith(key, prefix)) continue;
    if (key.length === prefix.length + 1) return true;
    let at = charCodeAt(key, prefix.length) === L ? prefix.length + 1 : prefix.length;
    while (at < key.length && charCodeAt(key, at) >= ZERO && charCodeAt(key, at) <= NINE) at++;
    if (at === key.length) return true;
  }
  return false;
};

/**
 * Leaves the cells out when the program lists the global object's own keys. Test runners copy what is listed into each
 * sandbox, and programs compare listings to find leaked globals.
 */
export const hideCells = (global: typeof globalThis, cells: ThreadCells): Undo => {
  const without = <K extends PropertyKey>(keys: K[]): K[] => {
    const { prefixes } = cells;
    let kept = 0;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as K;
      if (!isCell(prefixes, key)) keys[kept++] = key;
    }
    keys.length = kept;
    return keys;
  };

  const names = replaceMethod<(o: unknown) => string[]>(
    global.Object,
    'getOwnPropertyNames',
    (native) =>
      ({
        getOwnPropertyNames(this: unknown, o: unknown): string[] {
          const names = reflectApply(native, this, [o]) as string[];
          return o === global ? without(names) : names;
        },
      }).getOwnPropertyNames,
  );
  const keys = replaceMethod<(o: object) => PropertyKey[]>(
    global.Reflect,
    'ownKeys',
    (native) =>
      ({
        ownKeys(this: unknown, o: object): PropertyKey[] {
          const keys = reflectApply(native, this, [o]) as PropertyKey[];
          return o === global ? without(keys) : keys;
        },
      }).ownKeys,
  );
  const descriptors = replaceMethod<(o: object) => Record<PropertyKey, PropertyDescriptor>>(
    global.Object,
    'getOwnPropertyDescriptors',
    (native) =>
      ({
        getOwnPropertyDescriptors(this: unknown, o: object): Record<PropertyKey, PropertyDescriptor> {
          const descriptors = reflectApply(native, this, [o]) as Record<PropertyKey, PropertyDescriptor>;
          if (o === global) for (const key in descriptors) if (isCell(cells.prefixes, key)) delete descriptors[key];
          return descriptors;
        },
      }).getOwnPropertyDescriptors,
  );
  return undoAll([names, keys, descriptors]);
};
