import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import { SafeMap, SafeSet } from '../../base/safe-map.js';
import type { Replacement, WantedVariable } from '../../ftrace/tracers/diversions.js';
import { joinSymbol } from '../instrument/symbol-text.js';
import { nativeOwnKeys } from '../realm/primordials.js';
import type { LoadedReplacements } from '../tracers/livepatch-needs.js';

type AnyFunction = (...args: never[]) => unknown;

export type ImportModule = (url: string) => Promise<Record<string, unknown>>;

/** Counts loads, so that a file that was changed is read again. */
let loads = 0;

/** Names in a namespace that Node adds to a CommonJS module's own. */
const NOT_NAMES = new SafeSet(['default', 'module.exports', '__esModule']);

/** Loads a file as a fresh module, whatever kind of module it is. */
async function load(url: string, importModule: ImportModule): Promise<Record<string, unknown>> {
  const { cache } = createRequire(url);
  const path = fileURLToPath(url);
  const before = cache[path];
  delete cache[path];
  try {
    return await importModule(`${url}?livepatch=${++loads}`);
  } finally {
    if (before === undefined) delete cache[path];
    else cache[path] = before;
  }
}

const isClass = (value: AnyFunction): boolean => /^class\b/.test(String(value));

/** The methods of a class, under their symbols (docs/symbols.md). Its constructor is not one. */
function* methodsOf(name: string, owner: AnyFunction): Iterable<[string, AnyFunction]> {
  for (const holder of [owner, owner.prototype as object]) {
    for (const key of nativeOwnKeys(holder)) {
      if (typeof key !== 'string' || key === 'constructor') continue;
      const { value, get, set } = Object.getOwnPropertyDescriptor(holder, key)!;
      if (typeof value === 'function' && !isClass(value)) yield [joinSymbol(name, key), value];
      if (get !== undefined) yield [joinSymbol(name, 'get', key), get as AnyFunction];
      if (set !== undefined) yield [joinSymbol(name, 'set', key), set as AnyFunction];
    }
  }
}

/** The `klpSymbols` that a module exports. */
function symbolsOf(module: Record<string, unknown>): object | undefined {
  const others = module.default as Record<string, unknown> | null | undefined;
  const symbols = module.klpSymbols ?? (typeof others === 'object' ? others?.klpSymbols : undefined);
  if (symbols === undefined) return undefined;
  if (typeof symbols !== 'object' || symbols === null || types.isProxy(symbols) || !Object.isExtensible(symbols)) {
    throw new TypeError('klpSymbols is an object whose properties fentry can redefine');
  }
  return symbols;
}

/** The variables that its properties name. */
const variablesOf = (symbols: object): readonly WantedVariable[] =>
  Object.entries(Object.getOwnPropertyDescriptors(symbols)).map(([property, { value, configurable }]) => {
    if (typeof value !== 'string' || configurable !== true) {
      throw new TypeError(`klpSymbols.${property} is the name of a variable: 'NAME' or 'FILE:NAME'`);
    }
    return { property, reference: value };
  });

/**
 * The functions that a module exports, by the symbols that they replace: also as properties of the object that is its default
 * export.
 */
function* exportedBy(module: Record<string, unknown>): Iterable<[string, AnyFunction]> {
  const others = module.default;
  const listed = typeof others === 'object' && others !== null ? Object.entries(others) : [];
  const named = Object.entries(module).filter(([name]) => !NOT_NAMES.has(name));
  for (const [name, value] of [...named, ...listed]) {
    if (typeof value !== 'function') continue;
    if (isClass(value as AnyFunction)) yield* methodsOf(name, value as AnyFunction);
    else yield [name, value as AnyFunction];
  }
}

/**
 * Loads the file of a live patch.
 * @param repackOf TextFunction.repack of a function's text
 * @throws what the file throws, or an Error if it exports no function
 */
export async function loadReplacements(
  url: string,
  importModule: ImportModule,
  repackOf: (text: string) => string | undefined,
): Promise<LoadedReplacements> {
  const module = await load(url, importModule);
  const functions = new SafeMap(exportedBy(module));
  if (functions.size === 0) throw new Error('the file exports no function');
  const replacements = Array.from(functions, ([symbol, one]): Replacement => {
    try {
      const repack = repackOf(String(one));
      return repack === undefined ? { symbol } : { symbol, repack };
    } catch {
      return { symbol, repack: '' };
    }
  });
  const symbols = symbolsOf(module);
  return { functions, replacements, symbols, variables: symbols === undefined ? [] : variablesOf(symbols) };
}
