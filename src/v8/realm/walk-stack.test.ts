import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { Session } from 'node:inspector';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { StackPlaces } from './stack-places.js';
import { Texts } from './texts.js';
import { createWalkStack } from './walk-stack.js';

const BASE = 0x81000000;
let scripts = 0;

/**
 * Runs an expression in which `site()` stands for a site; resolves with its last stack as texts and names of foreign functions.
 */
async function stackIn(expression: string, { room = 64, withAwaiting = true, before = () => {} } = {}): Promise<string[]> {
  const filename = `/app/walked${++scripts}.js`;
  const source = `(function (site) { return ${expression} })`;
  const texts = new Texts('file:///own/');
  texts.addPlain(filename, BASE);
  const foreign: string[] = [];
  const walk = createWalkStack(texts, { addressOfForeign: (file, name) => foreign.push(`${file} ${name}`) });
  let stack: string[] = [];
  const run = new Script(source, { filename }).runInThisContext() as (site: () => void) => unknown;
  before();
  await run(() => {
    const addresses = new Uint32Array(room);
    const found = addresses.subarray(0, walk(addresses, withAwaiting));
    stack = [...found].map((low) => (low < BASE ? foreign[low - 1]! : source.slice(low - BASE, low - BASE + 4)));
  });
  // This file's own functions stand for fentry's trampolines and for the code that runs the program.
  return stack.filter((frame) => !frame.includes('.test.') && !frame.includes('node:internal'));
}

test('functions are found by their place, innermost first', async () => {
  const stack = await stackIn('(() => { const g = () => site(); const f = () => { 1; g(1) }; f(2) })()');
  assert.deepEqual(stack.slice(0, 3), ['site', 'g(1)', 'f(2)']);
});

test('built-ins, code of eval and Node’s own functions have a file that tells what they are', async () => {
  assert.deepEqual((await stackIn('[1].map(() => site())')).slice(0, 3), ['site', 'v8:built-in map', 'map(']);
  assert.ok((await stackIn('eval("(function f() { site() })()")')).includes('v8:eval f'));
  const emitted = await stackIn('(process.once("fentry", () => site()), process.emit("fentry"))');
  assert.match(emitted[1] ?? '', /^node:events \w+$/);
});

test('what an inspector evaluates is no frame', async () => {
  const session = new Session();
  session.connect();
  const evaluated = await stackIn('(() => { globalThis.walkHere = () => site(); return globalThis.evaluateWalk() })()', {
    before: () =>
      Object.assign(globalThis, { evaluateWalk: () => session.post('Runtime.evaluate', { expression: 'void walkHere()' }) }),
  });
  session.disconnect();
  assert.deepEqual(evaluated.slice(0, 1), ['site']);
  assert.ok(!evaluated.some((frame) => frame.startsWith(' ')), evaluated.join('\n'));
});

test('functions that wait for the one that runs follow after a frame that says so', async () => {
  const waiting = '(async () => { const g = async () => { await 1; site() }; await g(1) })()';
  assert.deepEqual(await stackIn(waiting), ['site', 'v8:built-in await', 'awai']);
  assert.deepEqual(await stackIn(waiting, { withAwaiting: false }), ['site']);
});

test('frames that do not fit are left out', async () => {
  const deep = '(() => { const f = (n) => { n > 0 ? f(n - 1) : site() }; f(9) })()';
  // One place goes to the function that stands for fentry's trampoline.
  assert.deepEqual(await stackIn(deep, { room: 3 }), ['site', 'f(n ']);
});

test('a full stack ends no program', async () => {
  const stack = await stackIn('(() => { const f = () => { try { f() } catch { site() } }; f() })()');
  assert.ok(Array.isArray(stack));
});

test('Node’s hooks that call fentry are left out, unless there is nothing else', () => {
  const foreign: string[] = [];
  const walk = createWalkStack(new Texts('file:///own/'), {
    addressOfForeign: (file, name) => (file.includes('.test.') ? 0 : foreign.push(`${file} ${name}`)),
  });
  const walked = (): string[] => {
    const addresses = new Uint32Array(64);
    return [...addresses.subarray(0, walk(addresses, true))].map((low) => foreign[low - 1]!);
  };
  const first: Record<string, string | undefined> = {};
  let last: string[] = [];
  const hook = createHook({
    init: (_id, type) => void (first[type] ??= walked()[0]),
    before: () => {
      last = walked();
    },
  }).enable();
  const timer = setTimeout(() => {}, 1e6);
  process.nextTick(() => {});
  new Promise(() => {});
  hook.disable();
  clearTimeout(timer);
  const told = channel('fentry:walk-stack');
  const listener = (): void => void (first['channel'] = walked()[0]);
  told.subscribe(listener);
  [1].forEach((value) => {
    told.publish(value);
  });
  told.unsubscribe(listener);
  assert.deepEqual(first, {
    Timeout: 'node:internal/timers Timeout',
    TickObject: 'node:internal/process/task_queues nextTick',
    PROMISE: 'v8:built-in Promise',
    channel: 'v8:built-in forEach',
  });
  assert.deepEqual(last, []);
});

test('the place of each address is told once, as the text was before sites were put in', () => {
  const filename = `/app/walked${++scripts}.js`;
  const source = '(function (site) {\n  const f = () => { site(); return 1 };\n  return f() + f() })';
  const texts = new Texts('file:///own/');
  texts.addPlain(filename, BASE);
  const told: (readonly number[])[] = [];
  const places = new StackPlaces((all) => told.push(all));
  const walk = createWalkStack(texts, { addressOfForeign: () => 0, places });
  const run = new Script(source, { filename }).runInThisContext() as (site: () => void) => unknown;
  run(() => void walk(new Uint32Array(64), true));
  const at = (word: string, from = 0): number => BASE - 2 ** 32 + source.indexOf(word, from);
  assert.deepEqual(told, [
    [at('site();'), 2, 21, at('f() +'), 3, 10],
    [at('f() }'), 3, 16],
  ]);
});
