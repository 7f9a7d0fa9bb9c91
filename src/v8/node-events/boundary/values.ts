import { Buffer } from 'node:buffer';
import { types } from 'node:util';
import { getOwnPropertyDescriptor, uncurry } from '../../realm/primordials.js';

// Taken before the program could replace them.
const { isProxy, isUint8Array, isNativeError } = types;
const utf8Slice = uncurry(Buffer.prototype.toString) as (bytes: Uint8Array, encoding: string) => string;
const { from } = Buffer;
const { byteLength } = Buffer;
const stringOf = String;

/** The value of an own property that is no accessor; undefined for all others. Runs none of the program's code. */
export function ownValue(object: unknown, key: PropertyKey): unknown {
  if (object === null || (typeof object !== 'object' && typeof object !== 'function') || isProxy(object)) return undefined;
  return getOwnPropertyDescriptor(object, key)?.value;
}

/** A text that a function was given, or bytes of UTF-8; '' for all else. */
export function pathText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isUint8Array(value)) return '';
  try {
    return utf8Slice(from(value.buffer, value.byteOffset, value.byteLength), 'utf8');
  } catch {
    return '';
  }
}

/** Bytes of a text in an encoding of Node's. */
export function textLength(text: unknown, encoding: unknown): number {
  if (typeof text !== 'string') return 0;
  return byteLength(text, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
}

/** The number of an error of the system, negative; that of EINVAL for an error that is none. */
export function errnoOf(error: unknown): number {
  const errno = ownValue(error, 'errno');
  return typeof errno === 'number' && errno < 0 ? errno : -22;
}

/** The name of an error: ENOENT; '' for no error. */
export function errorCode(error: unknown): string {
  if (error === undefined || error === null) return '';
  const code = ownValue(error, 'code');
  if (typeof code === 'string') return code;
  if (typeof code === 'number') return stringOf(code);
  const name = isNativeError(error) ? ownValue(error, 'name') : undefined;
  return typeof name === 'string' ? name : 'Error';
}

/** A number, or 0. */
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
