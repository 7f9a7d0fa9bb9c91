import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transformSync } from 'esbuild';
import { instrument } from '../instrument/index.js';
import type { JsText } from '../js-text.js';
import { originalFunctions } from './original-functions.js';
import { LONGEST_MAP } from './source-map.js';

interface Map {
  readonly names?: readonly string[];
  readonly sources?: readonly string[];
}

/** The names that a source's functions have when it is minified, and its map changed. */
const namesOf = (source: string, change: (map: Map) => Map = (map) => map, module = '') => {
  const { code, map } = transformSync(source, { minify: true, sourcemap: 'external', sourcefile: 'shop.js', format: 'esm' });
  return functionsOf(code, JSON.stringify(change(JSON.parse(map))), module).map((one) => one?.name);
};

const functionsOf = (code: string, map: string, module = '') => {
  const made = instrument(code, 'module');
  assert.ok('functions' in made);
  const text: JsText = {
    file: '/app/dist/shop.js',
    module,
    length: code.length,
    base: 0,
    firstFunction: 0,
    functions: made.functions,
    sourceMappingURL: 'shop.js.map',
  };
  return originalFunctions(text, (path) => (path.endsWith('.map') ? map : code));
};

const SHOP = `class Basket {
  add(item) { return item }
}
function Server() {}
Server.prototype.close = function () {};
const store = { load() { return 1 } };
function total(items, callWith) {
  items.map((one) => one); items.map((one) => one + 1);
  return callWith(() => 2);
}
export const all = [Basket, Server, store, total];
`;

// esbuild has an arrow function begin at its parameter.
test('a symbol has the author’s word in each of its parts', () => {
  assert.deepEqual(namesOf(SHOP), [
    'Basket.add',
    'Server',
    'Server.close',
    'store.load',
    'total',
    'total.map@8.14',
    'total.map@8.39',
    'total.callWith@9',
  ]);
});

test('a word of another scope is not taken for the owner’s', () => {
  const source = `export function first() { class Inner { run() {} } return Inner }
export function second(given) { given.prototype.stop = () => 1 }`;
  assert.deepEqual(namesOf(source), ['first', 'Inner.run', 'second', 'given.stop']);
});

test('a word that the scope has for several things is left as it is, as is a parameter', () => {
  // Minifiers give the variable of an inner block, or a parameter, the word of an outer variable that it does not use.
  const ownerIn = (code: string) => {
    const names = ['store', 'decode'];
    const places = [...code.matchAll(/\be(?==)/g)].map(({ index }, name) => [index, 0, 0, index, name]);
    const functions = [...code.matchAll(/function/g)].map(({ index }) => [index, 0, 0, index]);
    const mappings = [[...places, ...functions].sort(([a], [b]) => a! - b!)];
    return functionsOf(code, JSON.stringify({ version: 3, sources: ['a.js'], names, mappings })).at(-1)?.name;
  };
  assert.equal(ownerIn('let e=load();e.on(1).run=function(){}'), 'store.on.run');
  assert.equal(ownerIn('let e=load();{let e=2;use(e)}e.on(1).run=function(){}'), 'e.on.run');
  assert.equal(ownerIn('let e=load();use(function(e){e.on(1).run=function(){}})'), 'e.on.run');
});

test('a function that the minifier put into the place of its use has its author’s name', () => {
  const source = `import { rates } from './rates';
const round = async (sum: number): Promise<number> => Math.round(sum);
export function priceOf(lines: Line[]): number {
  return lines.map((line) => line.price);
}
export const GET = async (request) => [priceOf(request), await round(1)];
`;
  const code = 'export const g=async t=>[function(e){return e.map(e=>e.price)}(t),await (async e=>Math.round(e))(1)];';
  /** From a part of the text to the place of a part of the source. */
  const pairs = [
    ['async t=>', 'async (request)'],
    ['function(e)', 'function priceOf'],
    ['e=>e.price', '(line) =>'],
    ['async e=>', 'async (sum'],
  ] as const;
  const placeOf = (part: string): readonly number[] => {
    const before = source.slice(0, source.indexOf(part)).split('\n');
    return [before.length - 1, before.at(-1)!.length];
  };
  const mapped = (withSource: boolean) => {
    const mappings = [pairs.map(([from, to]) => [code.indexOf(from), 0, ...placeOf(to)])];
    const contents = withSource && { sourcesContent: [source] };
    const map = { version: 3, sources: ['../../app/price.ts'], names: [], mappings, ...contents };
    return functionsOf(code, JSON.stringify(map)).map((one) => `${one?.name} ${one?.file}`);
  };
  const file = '/app/price.ts';
  assert.deepEqual(mapped(true), [`g ${file}`, `priceOf ${file}`, `priceOf.map@4 ${file}`, `round ${file}`]);
  assert.deepEqual(mapped(false).slice(1, 2), [`g.iife@3 ${file}`]);
});

test('names of a map that are no legal symbols are not taken', () => {
  const odd = (name: string) => namesOf('function odd() {} export const list = [odd];', (map) => ({ ...map, names: [name] }))[0];
  const plain = odd('');
  for (const name of ['a b', 'a:b', 'a*', '!a', '1a', 'a,b', 'a\nb', '[a]', 'a#b']) assert.equal(odd(name), plain, name);
  assert.equal(odd('größe'), 'größe');
});

test('what a bundle has from a package is of that package', () => {
  const modulesOf = (file: string, module: string) => {
    const { code, map } = transformSync('function a() {} export { a }', { sourcemap: 'external', sourcefile: file });
    return functionsOf(code, map, module).map((one) => [one?.file, one?.module]);
  };
  assert.deepEqual(modulesOf('../node_modules/qs/lib/a.js', ''), [['/app/node_modules/qs/lib/a.js', 'qs']]);
  assert.deepEqual(modulesOf('../src/a.js', ''), [['/app/src/a.js', '']]);
  assert.deepEqual(modulesOf('../src/a.js', 'qs'), [['/app/src/a.js', 'qs']]);
  assert.deepEqual(modulesOf('../node_modules/a b/a.js', ''), [['/app/node_modules/a b/a.js', 'a_b']]);
});

test('a map that cannot be used leaves all as it is', () => {
  assert.deepEqual(functionsOf('function a() {}', '{"version":3'), []);
  assert.deepEqual(functionsOf('function a() {}', '{"version":3,"sources":7,"names":{},"mappings":[]}'), []);
  const huge: JsText = {
    file: '/app/a.js',
    module: '',
    length: 1,
    base: 0,
    firstFunction: 0,
    functions: [],
    sourceMappingURL: `data:application/json,${' '.repeat(LONGEST_MAP)}{}`,
  };
  assert.deepEqual(
    originalFunctions(huge, () => assert.fail('read')),
    [],
  );
});
