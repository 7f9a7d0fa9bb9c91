import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transformSync } from 'esbuild';
import { FUNCTION_KIND, type JsFunction, type JsText } from '../js-text.js';
import { originalFunction, readSourceMap } from './source-map.js';

const SOURCE = `// A comment.
interface Order { total: number }

export function totalOfOrder(order: Order): number {
  return order.total;
}
export class Basket {
  addOrder(order: Order) { return totalOfOrder(order) }
}
const isEmpty = (order: Order) => order.total === 0;
export const checks = [isEmpty, isEmpty];
`;

const compile = (minify: boolean) =>
  transformSync(SOURCE, { loader: 'ts', format: 'esm', minify, sourcemap: 'external', sourcefile: '../src/basket.ts' });

const functionAt = (code: string, mark: RegExp, name: string, kind: JsFunction['kind']): JsFunction => {
  const start = code.search(mark);
  const before = code.slice(0, start).split('\n');
  return {
    start,
    end: start + 1,
    line: before.length,
    column: (before.at(-1) as string).length + 1,
    name,
    kind,
    params: [],
    hasThis: false,
  };
};

const textOf = (sourceMappingURL?: string, code = ''): JsText => ({
  file: '/app/dist/basket.js',
  module: '',
  length: code.length,
  base: 0,
  firstFunction: 0,
  functions: [],
  ...(sourceMappingURL !== undefined && { sourceMappingURL }),
});

test('a compiled function is found in its source, by a map beside the file', () => {
  const { code, map } = compile(false);
  const read = (path: string) => (path === '/app/dist/basket.js.map' ? map : assert.fail(path));
  const traced = readSourceMap(textOf('basket.js.map'), read);
  assert.ok(traced);
  assert.deepEqual(originalFunction(traced, functionAt(code, /function totalOfOrder/, 'totalOfOrder', FUNCTION_KIND.function)), {
    file: '/app/src/basket.ts',
    line: 4,
    column: 8,
  });
});

test('minified functions get their author’s names back, by a map in the file', () => {
  const { code, map } = compile(true);
  const text = textOf(`data:application/json;base64,${Buffer.from(map).toString('base64')}`, code);
  const traced = readSourceMap(text, () => code);
  assert.ok(traced);
  const nameAt = (mark: RegExp, name: string, kind: JsFunction['kind']) =>
    originalFunction(traced, functionAt(code, mark, name, kind))?.name;
  assert.ok(!code.includes('function totalOfOrder'));
  assert.equal(nameAt(/function \w/, 't', FUNCTION_KIND.function), 'totalOfOrder');
  assert.equal(nameAt(/addOrder/, 'r.addOrder', FUNCTION_KIND.method), undefined);
  assert.equal(nameAt(/\w=>|\(\w\)=>/, 'n', FUNCTION_KIND.arrow), 'isEmpty');
});

test('names are left alone where the file no longer holds the text', () => {
  const { code, map } = compile(true);
  const text = textOf(`data:application/json,${encodeURIComponent(map)}`, code);
  const traced = readSourceMap(text, () => `${code} `);
  assert.ok(traced);
  assert.equal(originalFunction(traced, functionAt(code, /function \w/, 't', FUNCTION_KIND.function))?.name, undefined);
});

test('no map, a broken one, and one from the network are as none', () => {
  assert.equal(readSourceMap(textOf()), undefined);
  assert.equal(readSourceMap(textOf('missing.map')), undefined);
  assert.equal(
    readSourceMap(textOf('broken.map'), () => '{'),
    undefined,
  );
  assert.equal(
    readSourceMap(textOf('https://example.com/a.map'), () => assert.fail('read')),
    undefined,
  );
});

test('an inline map need not be base64', () => {
  const { map } = compile(false);
  assert.ok(readSourceMap(textOf(`data:application/json,${encodeURIComponent(map)}`)));
});

test('a map in sections is as one map, as Turbopack writes one for a chunk', () => {
  const { code, map } = compile(false);
  const lines = 'a chunk\nof two lines\n';
  const sections = [{ offset: { line: 2, column: 0 }, map: JSON.parse(map) }];
  const text = textOf('basket.js.map', lines + code);
  const read = (path: string) => (path.endsWith('.map') ? JSON.stringify({ version: 3, sections }) : lines + code);
  const source = readSourceMap(text, read);
  const found =
    source && originalFunction(source, functionAt(lines + code, /function totalOfOrder/, 'totalOfOrder', FUNCTION_KIND.function));
  assert.deepEqual({ file: found?.file, line: found?.line }, { file: '/app/src/basket.ts', line: 4 });
});

test('the map of a copied text is that of the build, which has left it there', () => {
  const { code, map } = compile(false);
  const url = '[root]__a.js.map';
  const copy = '/app/.next/standalone/apps/web/.next/server/chunks/[root]__a.js';
  const files = (built: string) => ({
    [copy]: code,
    '/app/.next/server/chunks/[root]__a.js': built,
    '/app/.next/server/chunks/[root]__a.js.map': map,
  });
  const fileIn = (built: string) => {
    const texts: Record<string, string> = files(built);
    const text = { ...textOf(encodeURIComponent(url), code), file: copy };
    const source = readSourceMap(text, (path) => texts[path] ?? assert.fail(path));
    return source && originalFunction(source, functionAt(code, /function totalOfOrder/, '', FUNCTION_KIND.function))?.file;
  };
  assert.equal(fileIn(code), '/app/.next/server/src/basket.ts');
  assert.equal(fileIn(`${code} `), undefined);
});
