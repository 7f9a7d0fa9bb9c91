import { isUntracedFileWork, nativeReadFile } from '../../../base/untraced-fs.js';
import { defineProperty, getOwnPropertyDescriptor } from '../../realm/primordials.js';
import type { Undo } from '../../realm/undo.js';
import type { Args } from './fs-calls.js';
import { numberOf, ownValue } from './values.js';

/** What fs.readFile() reads at once of a file whose size is unknown, and at most of others (internal/fs/utils.js). */
const UNKNOWN_BYTES = 64 * 1024;
const MOST_BYTES = 512 * 1024;

/** The functions for the end of its reads and of its close. */
const READS = 'readFileAfterRead';
const CLOSES = 'readFileAfterClose';

/**
 * Loads the part of Node's library in which fs.readFile() reads and closes: it takes the functions for itself when it is loaded,
 * and must not get stand-ins. The flag is refused before a file is opened.
 */
export function loadReadFile(): void {
  try {
    nativeReadFile()('/dev/null', { flag: 'none' }, () => {});
  } catch {
    // As intended.
  }
}

/**
 * Hears the reads and closes of fs.readFile(), at the place where it gives a request its context: the last thing before
 * the call, and the only one that can be seen.
 */
export function hearReadFile(prototype: unknown, begin: (request: object, name: 'read' | 'close', args: Args) => void): Undo {
  if (typeof prototype !== 'object' || prototype === null) return () => {};
  if (getOwnPropertyDescriptor(prototype, 'context') !== undefined) return () => {};
  const setter = {
    context(this: object, context: unknown): void {
      defineProperty(this, 'context', { value: context, writable: true, configurable: true, enumerable: true });
      if (isUntracedFileWork()) return;
      const name = ownValue(ownValue(this, 'oncomplete'), 'name');
      const fd = ownValue(context, 'fd');
      if (name === CLOSES) begin(this, 'close', [fd]);
      else if (name === READS) begin(this, 'read', [fd, undefined, 0, bytesOf(context), -1]);
    },
  }.context;
  defineProperty(prototype, 'context', { get: () => undefined, set: setter, configurable: true, enumerable: false });
  return () => {
    if (getOwnPropertyDescriptor(prototype, 'context')?.set === setter) Reflect.deleteProperty(prototype, 'context');
  };
}

function bytesOf(context: unknown): number {
  const size = numberOf(ownValue(context, 'size'));
  return size === 0 ? UNKNOWN_BYTES : Math.min(MOST_BYTES, size - numberOf(ownValue(context, 'pos')));
}
