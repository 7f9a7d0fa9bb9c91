import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { module } from './module.js';
import { descriptorsOf, EventLog } from './testing/event-log.js';

const folder = mkdtempSync(join(tmpdir(), 'module-events-'));
after(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const require = createRequire(import.meta.url);
const hasHooks = 'registerHooks' in Module;

test('a module is recorded when it has run, behind what it requires', () => {
  const data = write('data.json', '{ "a": 1 }');
  const inner = write('inner.cjs', `exports.data = require('./data.json');`);
  const outer = write('outer.cjs', `const { data } = require('./inner.cjs'); require('./inner.cjs'); exports.a = data.a;`);
  const log = new EventLog(module);
  log.enable('module_load');
  assert.deepEqual(require(outer), { a: 1 });
  require(outer);
  log.disable();
  const records = log.take().map(([, fields]) => fields as { name: string; size: number; time: number });
  assert.deepEqual(
    records.map(({ name, size }) => [name, size]),
    [
      [data, 10],
      [inner, 38],
      [outer, 84],
    ],
  );
  assert.ok(records[2]!.time >= records[1]!.time && records[1]!.time >= records[0]!.time);
});

test('a module that throws is not loaded', () => {
  const file = write('throws.cjs', `throw new RangeError('far')`);
  const log = new EventLog(module);
  log.enable('module_load');
  assert.throws(() => require(file), { message: 'far' });
  log.disable();
  assert.deepEqual(log.take(), []);
});

test('imported modules are recorded once each', { skip: hasHooks ? false : 'this Node has no hooks in the thread' }, async () => {
  const text = write('text.cjs', 'exports.n = 1;');
  const inner = write('inner.mjs', 'export const n = 2;');
  const outer = write('outer.mjs', `import a from './text.cjs'; import { n } from './inner.mjs'; export const sum = a.n + n;`);
  const log = new EventLog(module);
  log.enable('module_load');
  const { sum } = (await import(pathToFileURL(outer).href)) as { sum: number };
  log.disable();
  assert.equal(sum, 3);
  const sizes = Object.fromEntries(log.take().map(([, { name, size }]) => [name, size]));
  assert.deepEqual(sizes, { [outer]: 88, [inner]: 19, [text]: 14 });
});

test('a module that was taken out of the cache is freed', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const file = write('freed.cjs', '');
  const log = new EventLog(module);
  log.enable();
  (() => {
    require(file);
    const { children } = require.cache[file]!.parent ?? { children: [] };
    children.splice(0);
    delete require.cache[file];
  })();
  log.take();
  for (let i = 0; i < 20 && log.records.length === 0; i++) {
    collect();
    await later(5);
  }
  log.disable();
  assert.deepEqual(log.take(), [['module_free', { name: file }]]);
});

test('afterwards nothing is left', () => {
  const before = descriptorsOf(Module, Module.prototype);
  const log = new EventLog(module);
  log.enable();
  log.disable();
  assert.deepEqual(descriptorsOf(Module, Module.prototype), before);
});
