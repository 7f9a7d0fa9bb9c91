import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { createCallingFunction } from './calling-function.js';
import { Texts } from './texts.js';

const BASE = 0x81000000;
let scripts = 0;

/** Runs a script in which `site()` asks who calls; returns the text from the call on, or the name of a function without sites. */
function callerIn(source: string): string | undefined {
  const filename = `/app/${++scripts}.js`;
  const texts = new Texts(new URL('.', import.meta.url).href);
  texts.addPlain(filename, BASE);
  const foreign: string[] = [];
  const calling = createCallingFunction(texts, (file, name) => foreign.push(`${file} ${name}`));
  let found = 0;
  const text = `(function (site) {${source}})`;
  (new Script(text, { filename }).runInThisContext() as (site: () => void) => void)(() => {
    found = calling() ?? 0;
  });
  if (found === 0) return undefined;
  const low = found >>> 0;
  return low < BASE ? foreign[low - 1] : text.slice(low - BASE, low - BASE + 6);
}

test('the function that calls is found, also above built-ins', () => {
  assert.equal(callerIn('function f() { 1; site(1); } f()'), 'site(1');
  assert.equal(callerIn('[3].map((n) => [n].map(site))'), 'map(si');
});

test('a function of Node is found by its file and name', () => {
  assert.match(callerIn('process.once("calling", site); process.emit("calling")') ?? '', /^node:events \w+/);
});

test('Node’s functions that allocate for their caller are passed over', () => {
  const array = '{ get length() { site(1); return 2 } }';
  assert.equal(callerIn(`Buffer.from(${array})`), 'site(1');
  assert.equal(callerIn('const a = []; a.length = 1; Object.defineProperty(a, 0, { get: site }); Buffer.from(a)'), 'from(a');
});

test('a caller far above many built-ins is found', () => {
  const nested = 'let f = site; for (let i = 0; i < 20; i++) { const g = f; f = Function.prototype.bind.call(g) } [1].forEach(f)';
  assert.equal(callerIn(nested), 'forEac');
});

test('what awaits a function has not called it', async () => {
  const texts = new Texts(new URL('.', import.meta.url).href);
  texts.addPlain('/app/job.js', BASE);
  const calling = createCallingFunction(texts, () => 1);
  const found: number[] = [];
  const source = '(async (site) => { await Promise.resolve(1).then(site) })';
  const job = new Script(source, { filename: '/app/job.js' }).runInThisContext() as (site: () => void) => Promise<void>;
  await job(() => void found.push(calling() ?? -1));
  assert.deepEqual(found, [0]);
});

test('fentry’s own call of a function that it has replaced is told from the program’s', () => {
  const texts = new Texts(new URL('.', import.meta.url).href);
  texts.addPlain('/app/replaced.js', BASE);
  const calling = createCallingFunction(texts, () => 1);
  const replaced = (): number | undefined => calling(replaced);
  const program = new Script('(function (f) { return f() })', { filename: '/app/replaced.js' }).runInThisContext() as (
    f: () => unknown,
  ) => unknown;
  assert.equal((program(replaced) as number) >>> 0, BASE + 23);
  assert.equal(replaced(), undefined);
  assert.equal([0].map(replaced)[0], undefined);
});
