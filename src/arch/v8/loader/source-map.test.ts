import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transformSync } from 'esbuild';
import type { LinkedText, TextFunction } from '../../arch.js';
import { originalFunction, readSourceMap } from './source-map.js';

const SOURCE = `// A comment.
interface Order { total: number }

export function totalOfOrder(order: Order): number {
  return order.total;
}
export class Basket {
  addOrder(order: Order) { return totalOfOrder(order) }
}
`;

const compile = (minify: boolean) =>
  transformSync(SOURCE, { loader: 'ts', format: 'esm', minify, sourcemap: 'external', sourcefile: '../src/basket.ts' });

const functionAt = (code: string, mark: RegExp, name: string, kind: TextFunction['kind']): TextFunction => {
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

const textOf = (sourceMappingURL?: string): LinkedText => ({
  file: '/app/dist/basket.js',
  module: '',
  length: 1,
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
  assert.deepEqual(originalFunction(traced, functionAt(code, /function totalOfOrder/, 'totalOfOrder', 'function')), {
    file: '/app/src/basket.ts',
    line: 4,
    column: 8,
  });
});

test('a minified function gets its author’s name back, by a map in the file', () => {
  const { code, map } = compile(true);
  const traced = readSourceMap(textOf(`data:application/json;base64,${Buffer.from(map).toString('base64')}`));
  assert.ok(traced);
  const [, short] = /function (\w+)\(/.exec(code) as unknown as [string, string];
  assert.notEqual(short, 'totalOfOrder');
  assert.equal(originalFunction(traced, functionAt(code, /function /, short, 'function'))?.name, 'totalOfOrder');
  assert.equal(originalFunction(traced, functionAt(code, /addOrder/, 'r.addOrder', 'method'))?.name, undefined);
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
