import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gone, type LivepatchSession, start } from './support/livepatch-session.js';
import { until } from './support/program.js';

/** Modules with variables that they do not export. */
const SHOP = `import { tax } from './tax.mjs';
let sold = 0;
const stock = new Map([['tea', 5]]);
const port = 8080;
class Line { static rate = 2 }
function price(n) { return n * Line.rate + tax }
export function sell(item, n) { sold += n; stock.set(item, stock.get(item) - n); return price(n) }
export const report = () => sold + ' sold, ' + stock.get('tea') + ' left';
export function hide(sold) { return sold }
export const counter = () => { let count = 0; return function next() { return ++count + sold } };`;
const BOOKS = `let entries = 0, sold = 'books';
exports.book = function book(n) { entries += n; return sold + entries };`;

const files = (session: LivepatchSession): readonly [string, string] => {
  session.sandbox.file('tax.mjs', 'export const tax = 1');
  return [session.sandbox.file('shop.mjs', SHOP), session.sandbox.file('books.cjs', BOOKS)];
};

const FIX = `export const klpSymbols = { sold: 'sold', stock: 'stock', price: 'price', Line: 'Line', tax: 'tax' };
export function sell(item, n) {
  if (klpSymbols.stock.get(item) < n) throw new RangeError('only ' + klpSymbols.stock.get(item));
  klpSymbols.sold += n;
  klpSymbols.stock.set(item, klpSymbols.stock.get(item) - n);
  try { klpSymbols.tax = 5 } catch (error) { klpSymbols.Line = { rate: 10 } }
  return klpSymbols.price(n);
}`;

test('new code reads and writes the private variables of the module, in each thread those of its own', async (t) => {
  const session = await start(t);
  const { evaluate, read, write } = session;
  const [shop] = files(session);
  await evaluate(`bring(${JSON.stringify(shop)}).then((m) => { globalThis.shop = m })`);
  assert.equal(await evaluate('shop.sell("tea", 2)'), '5');
  assert.equal(await session.patch('fix', FIX), '', 'the first call of sell() will reach them');
  assert.equal(await evaluate('shop.sell("tea", 2)'), '21', 'an import cannot be written');
  assert.equal(await evaluate('shop.report()'), '4 sold, 1 left');
  assert.equal(await evaluate('shop.sell("tea", 2)'), 'RangeError: only 1');
  await evaluate(`worker bring(${JSON.stringify(shop)}).then((m) => { globalThis.shop = m })`);
  assert.equal(await evaluate('worker shop.sell("tea", 1) + ", " + shop.report()'), '11, 1 sold, 4 left', 'loaded later');
  assert.equal(await write('livepatch/fix/enabled', '0'), '');
  await gone(session, 'fix');
  assert.equal(await evaluate('shop.sell("tea", 1) + ", " + shop.report()'), '11, 5 sold, 0 left', 'what was written stays');
  assert.equal(await read('enabled_functions'), '');
});

test('variables of two modules are there before any new code runs', async (t) => {
  const session = await start(t);
  const { evaluate, read } = session;
  const [shop, books] = files(session);
  await evaluate(`bring(${JSON.stringify(shop)}).then((m) => { globalThis.shop = m })`);
  await evaluate(`globalThis.books = load(${JSON.stringify(books)})`);
  const source = `exports.klpSymbols = { sales: 'shop.mjs:sold', entries: 'entries' };
    exports.sell = () => 'sold ' + exports.klpSymbols.sales;
    globalThis.isThere = true;
    exports.book = () => 'new ' + (exports.klpSymbols.entries += 100) + ' ' + exports.klpSymbols.sales;`;
  assert.equal(await session.begin('fix', source, 'cjs'), '');
  await until(async () => (await evaluate('globalThis.isThere')) === 'true', 'the main thread has loaded it');
  assert.equal(await read('livepatch/fix/transition'), '1\n');
  assert.equal(await evaluate('books.book(1)'), 'books1', 'those of shop.mjs are not reached yet');
  assert.equal(await evaluate('shop.sell("tea", 1)'), 'sold 0');
  assert.equal(await evaluate('books.book(1)'), 'new 101 0');
  // The worker has no such modules.
  await until(async () => (await read('livepatch/fix/transition')) === '1\n', 'the worker would run the old code');
  assert.equal(await session.write('livepatch/fix/force', '1'), '');
  await until(async () => (await read('livepatch/fix/transition')) === '0\n', 'the transition is over');
});

test('variables that cannot be reached are refused with the reason, also in error_log', async (t) => {
  const session = await start(t);
  const { evaluate, read } = session;
  const [shop, books] = files(session);
  await evaluate(`bring(${JSON.stringify(shop)}).then((m) => { globalThis.shop = m })`);
  await evaluate(`globalThis.books = load(${JSON.stringify(books)})`);
  let count = 0;
  const refused = async (symbols: string, functions: string, reason: RegExp): Promise<void> =>
    assert.match(await session.patch(`no${++count}`, `export const klpSymbols = ${symbols};\n${functions}`), reason);
  const SELL = 'export function sell() {}';
  await refused("{ a: 'nosuch' }", SELL, /no variable nosuch in shop.mjs, which has tax, sold, .*price.* \(EINVAL\)/);
  assert.match(
    await read('error_log'),
    /livepatch: error: klpSymbols: there is no variable nosuch.*\n {2}Command: no1 .*no1.mjs\n/,
  );
  await refused("{ a: 'port' }", SELL, /port of shop.mjs is gone: no function of the module uses it.*\(EINVAL\)/);
  await refused("{ a: 'sold' }", 'export function hide() {}', /sold of shop.mjs: each function.* of its own \(EINVAL\)/);
  await refused("{ a: 'count' }", 'export default { "next"() {} }', /count is a variable inside of a function.*\(EINVAL\)/);
  await refused("{ a: 'books.cjs:entries' }", SELL, /replaces no function of books.cjs; it replaces functions of .*shop.mjs/);
  await refused("{ a: 'sold' }", `${SELL}\nexport function book() {}`, /several modules have a variable sold: say FILE:sold;/);
  await refused("{ a: 'a b' }", SELL, /a b: the form is NAME or FILE:NAME \(EINVAL\)/);
  await refused('{ a: 1 }', SELL, /klpSymbols.a is the name of a variable.*\(EINVAL\)/);
  await refused('{ get a() { return "sold" } }', SELL, /klpSymbols.a is the name of a variable.*\(EINVAL\)/);
  await refused("Object.freeze({ a: 'sold' })", SELL, /properties fentry can redefine \(EINVAL\)/);
  await refused("new Proxy({ a: 'sold' }, {})", SELL, /properties fentry can redefine \(EINVAL\)/);
  await evaluate(`delete load.cache[${JSON.stringify(books)}]; load(${JSON.stringify(books)})`);
  await refused("{ a: 'entries' }", 'export function book() {}', /the place of entries is there more than once.*\(EINVAL\)/);
  assert.deepEqual(await session.list(), ['follow', 'load', 'prepare']);
  assert.equal(await read('enabled_functions'), '');
  assert.equal(await evaluate('shop.sell("tea", 1)'), '3');
});
