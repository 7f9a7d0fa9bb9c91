/**
 * Names of functions as symbols. What means something in filters, and white space, is not part of any; names of C++ stay mangled
 * unless they were demangled before.
 */

/** C++'s way to name a member, and the characters that no symbol has. */
const MEMBER = /::/g;
const FORBIDDEN = /[^\w$.@/{}<>~-]+/g;

/** A name without a character that filters give a meaning: `ns::Class::size() const` is `ns.Class.size_const`. */
export const symbolName = (name: string): string =>
  name
    .replace(MEMBER, '.')
    .replace(FORBIDDEN, '_')
    .replace(/_$/, name.endsWith('_') ? '_' : '') || '_';

/** The name of a function that a stripped object has no name for: where it begins in the object. */
export const namelessFunction = (address: number): string => `sub_${address.toString(16)}`;

const leadingUnderscores = (name: string): number => /^_*/.exec(name)![0].length;

/** The one of a function's two names that people use: `malloc`, not `__libc_malloc`. */
export function betterName(a: string, b: string): string {
  const order = leadingUnderscores(a) - leadingUnderscores(b) || a.length - b.length;
  return order < 0 || (order === 0 && a < b) ? a : b;
}

/** What follows a function's name where the compiler moved a part of it away, to which the function jumps. */
const PART = /\.cold(\.\d+)?$/;

export const isPartName = (name: string): boolean => PART.test(name);

/** The name of the function that a part was moved away from. */
export const wholeName = (name: string): string => name.replace(PART, '');

/** What a mapped file is as a module, in brackets after its symbols: `libc.so.6`. */
export const moduleName = (path: string): string =>
  path
    .replace(/ \(deleted\)$/, '')
    .replace(/^.*\//, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/[\s[\]]+/g, '_');
