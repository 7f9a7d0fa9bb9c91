import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrument } from './index.js';
import { moduleScope } from './module-scope.js';

/** What the entry of a function sees of its module. */
function scopeOf(source: string, symbol: string, type: 'commonjs' | 'module' = 'module') {
  const found = instrument(source, type);
  assert.ok('functions' in found);
  const one = found.functions.find(({ name }) => name === symbol);
  assert.ok(one, `${symbol} is one of ${found.functions.map(({ name }) => name)}`);
  const scope = moduleScope(source, one)!;
  return { ...scope, variables: scope.variables.map(({ kind, name }) => `${kind} ${name}`).join(', ') };
}

const CART = `import { tax } from './tax.mjs';
let hits = 0;
const cache = new Map(), port = 80;
export let rate = 1;
class Line { static of(cache) { return new Line(cache) } }
export function total(order, { lines = [] }) { hits++; return cache.get(order) * tax * rate + Line.of(lines) }
function keeper(items) { const open = 1; return (item) => { let rate = 2; return items + item + open + rate } }
const named = function total(a) { return arguments.length };`;

test('a function sees the variables that functions of the module use, and those that are exported', () => {
  const { variables, unkept, hidden, forget } = scopeOf(CART, 'total');
  assert.equal(variables, 'import tax, let hits, const cache, let rate, class Line, function total');
  assert.deepEqual(unkept, ['port', 'keeper', 'named']);
  assert.deepEqual(hidden, ['order', 'lines']);
  assert.equal(forget, 'order=lines=void 0;for(const k in arguments)delete arguments[k];');
});

test('names are hidden by parameters, by variables of the body, by functions around it, and by its own name', () => {
  assert.deepEqual(scopeOf(CART, 'Line.of').hidden, ['cache']);
  const { hidden, forget } = scopeOf(CART, 'keeper.return@7');
  assert.deepEqual(hidden.toSorted(), ['item', 'items', 'open', 'rate']);
  assert.equal(forget, 'item=void 0;', 'an arrow has no arguments of its own');
  const named = scopeOf(CART.replace('function total(a) {', 'function other(a) {'), 'other');
  assert.deepEqual(named.hidden.toSorted(), ['a', 'other']);
  assert.equal(named.forget, 'a=void 0;', 'what the program uses is left alone');
  assert.match(
    scopeOf('function f(a, b = () => a, c) { return class { x = c } }', 'f').forget,
    /^b=void 0;for/,
    'and what closures share',
  );
  assert.match(scopeOf('function f(a) { return eval("() => a") }', 'f').forget, /^for/, 'and all with eval');
});

test('a source that cannot be read has no scope', () => {
  assert.equal(moduleScope('function (', { start: 0, end: 9 }), undefined);
});
