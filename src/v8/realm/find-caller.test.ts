import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { createFindCaller } from './find-caller.js';
import { Texts } from './texts.js';

const BASE = 0x81000000;
let scripts = 0;

/**
 * Runs a script in which `site()` stands for a site, and says what its last caller was: the text from there on, or a foreign
 * name.
 */
function callerIn(source: string): string | undefined {
  const filename = `/app/${++scripts}.js`;
  const texts = new Texts('file:///own/');
  texts.addPlain(filename, BASE);
  const foreign: string[] = [];
  const find = createFindCaller(texts, (file, name) => foreign.push(`${file} ${name}`));
  let found = 0;
  (new Script(`(function (site) {${source}})`, { filename }).runInThisContext() as (site: () => void) => void)(function site() {
    found = find(site);
  });
  if (found === 0) return undefined;
  return found < BASE ? foreign[found - 1] : `(function (site) {${source}})`.slice(found - BASE, found - BASE + 6);
}

test('the call in the caller is found', () => {
  assert.equal(callerIn('const g = () => site(); function f() { 1; g(1); } f()'), 'g(1); ');
});

test('built-ins and code of eval between the two are passed over', () => {
  assert.equal(callerIn('const g = () => site(); [1].map(g)'), 'map(g)');
  assert.equal(callerIn('const g = () => site(); eval("g()")'), 'eval("');
  assert.equal(callerIn('const g = () => site(); [[[1]]].map((a) => a.map((b) => b.map(g)))'), 'map(g)');
});

test('a caller without sites is asked for by its file and name', () => {
  assert.match(callerIn('const g = () => site(); process.once("fentry", g); process.emit("fentry")') ?? '', /^node:events \w+$/);
});

test('a function that an engine’s job calls has no caller, whatever awaits it', async () => {
  const filename = '/app/job.js';
  const texts = new Texts('file:///own/');
  texts.addPlain(filename, BASE);
  const find = createFindCaller(texts, () => 1);
  const found: number[] = [];
  const site = (): void => void found.push(find(site));
  const script = new Script('(async (site) => { await Promise.resolve(1).then(function g() { site() }) })', { filename });
  await (script.runInThisContext() as (site: () => void) => Promise<void>)(site);
  assert.deepEqual(found, [0]);
});

/** Everything that a program can do to its stacks. */
const HOSTILE = `
  const called = [];
  const { prepareStackTrace, stackTraceLimit } = Error;
  const limit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  const capture = Error.captureStackTrace;
  Error.prepareStackTrace = () => { called.push('prepareStackTrace'); };
  Error.captureStackTrace = () => { called.push('captureStackTrace'); };
  Object.defineProperty(Error, 'stackTraceLimit', { get() { called.push('limit'); return 0 }, set() { called.push('set') }, configurable: true });
  Object.defineProperty(Object.prototype, 'stack', { set() { called.push('stack') }, get() { called.push('stack') }, configurable: true });
  Object.defineProperty(Array.prototype, 1, { get() { called.push('index') }, configurable: true });
  const { Error: Own } = globalThis;
  globalThis.Error = class { static prepareStackTrace() { called.push('other') } };
  try { f() } finally {
    globalThis.Error = Own;
    delete Array.prototype[1];
    delete Object.prototype.stack;
    Object.defineProperty(Error, 'stackTraceLimit', limit);
    Error.captureStackTrace = capture;
    Error.prepareStackTrace = prepareStackTrace;
  }
  if (called.length > 0 || Error.stackTraceLimit !== stackTraceLimit) throw new Error(called.join());`;

test('nothing of the program is called, and nothing of it changed', () => {
  assert.equal(callerIn(`const g = () => site(); function f() { g(1); } ${HOSTILE}`), 'g(1); ');
});

test('on a full stack the caller is not known', () => {
  assert.equal(callerIn('const g = () => { site(); g(); }; try { g() } catch {}'), undefined);
});
