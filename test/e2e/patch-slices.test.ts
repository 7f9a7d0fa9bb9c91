import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

/** Functions enough that making NOPs of them takes several slices: f0, f1, ... and `turn`, which calls the first and the last. */
const COUNT = 30_000;
const MANY = `
${Array.from({ length: COUNT }, (_, i) => `function f${i}() {}`).join('\n')}
function turn() { f0(); f${COUNT - 1}(); }
setInterval(turn, 1);
`;

test('the event loop turns while many functions are patched, and the write returns after the last of them', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(MANY);
  const files = sandbox.client(pid);
  await files.write('set_ftrace_notrace', 'turn');
  await files.write('current_tracer', 'function');
  const callsOf = (trace: string, name: string): number => trace.split(`: ${name} <-`).length;
  /**
   * How many more turns the last function was traced than the first, which becomes a NOP before it. The trace may be cleared in
   * the midst of a turn, so it is read from its first whole one on; the thread may be interrupted in the midst of one: then it is
   * -1.
   */
  const turnsBetween = async (): Promise<number> => {
    await files.write('set_ftrace_filter', '');
    await files.write('trace', '');
    await until(async () => (await files.read('trace')).includes(': f0 <-'), 'a turn has begun after the trace was cleared');
    // It names no function that is called.
    await files.write('set_ftrace_filter', 'f1');
    assert.match(await files.read('enabled_functions'), /^f1 \(1\).*\n$/);
    const trace = await files.read('trace');
    assert.equal(await files.read('trace'), trace, 'nothing is recorded after the write');
    const turns = trace.slice(trace.indexOf(': f0 <-'));
    return callsOf(turns, `f${COUNT - 1}`) - callsOf(turns, 'f0');
  };
  await until(async () => (await turnsBetween()) > 0, 'the loop has turned between the first patch and the last');
  await files.write('options/patch-at-once', '1');
  for (let round = 0; round < 3; round++) assert.ok((await turnsBetween()) <= 0);
});

const ENDLESS = `
${Array.from({ length: COUNT }, (_, i) => `function f${i}() { return 1; }`).join('\n')}
setTimeout(() => { for (let s = 0; ; s = (s + f0() + f${COUNT - 1}()) % 1000); }, 500);
`;

test('a thread that never comes back to its loop patches all at once when it is interrupted again', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(ENDLESS);
  const files = sandbox.client(pid);
  for (let round = 0; round < 5; round++) {
    await files.write('current_tracer', 'function');
    await until(async () => (await files.read('trace')).includes(`: f${COUNT - 1}`), 'the last function is traced');
    await files.write('current_tracer', 'nop');
    await files.write('trace', '');
    assert.doesNotMatch(await files.read('trace'), /: f/, 'no call is traced any more');
  }
});

/** Once optimized, it can be interrupted nowhere but where trampolines are entered, and in them. */
const SHORT = `
const given = { text: 'x', list: [1, 2, 3], inner: { one: 1 } };
function first() { return 1; }
function second() { return 1; }
setTimeout(() => { for (let s = 0; ; s = (s + first(given, [s, given]) + second(given, s)) % 1000); }, 200);
`;

for (const isFull of [false, true]) {
  test(`a call in flight is not recorded after the write${isFull ? ', with arguments' : ''}`, async (t) => {
    const sandbox = new Sandbox(t);
    const { pid } = await sandbox.start(SHORT);
    const files = sandbox.client(pid);
    const options = isFull ? ['func-args', 'funcgraph-args', 'funcgraph-retval'] : [];
    for (const option of options) await files.write(`options/${option}`, '1');
    const names = ['first', 'second'];
    for (let round = 0; round < 40; round++) {
      await files.write('current_tracer', round % 20 < 10 ? 'function' : 'function_graph');
      const [name, other] = [names[round % 2]!, names[1 - (round % 2)]!];
      await files.write('set_ftrace_filter', name);
      await files.write('trace', '');
      await until(async () => (await files.read('trace')).includes(name), 'the loop is traced');
      assert.doesNotMatch(await files.read('trace'), new RegExp(other), `${other} is traced no more`);
      await files.write('set_ftrace_filter', other);
      await files.write('current_tracer', 'nop');
      await files.write('trace', '');
      assert.doesNotMatch(await files.read('trace'), /first|second/, 'no call is traced any more');
    }
  });
}

const LOADING = `
const { writeFileSync } = require('node:fs');
${Array.from({ length: COUNT }, (_, i) => `function f${i}() {}`).join('\n')}
let loaded = 0;
function load() {
  const file = __dirname + '/loaded' + loaded++ + '.cjs';
  writeFileSync(file, 'module.exports = function fresh() { return other(); }; function other() { return 1; }');
  require(file)();
  f0();
  f${COUNT - 1}();
}
setInterval(load, 1);
setTimeout(() => process.exit(), 60000).unref();
`;

test('a module that is loaded between two slices has its patches before it runs', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(LOADING);
  const files = sandbox.client(pid);
  for (let round = 0; round < 3; round++) {
    await files.write('current_tracer', 'function');
    await files.write('trace', '');
    await until(async () => (await files.read('trace')).split(': fresh <-').length > 3, 'modules were loaded');
    const trace = await files.read('trace');
    const calls = [...trace.matchAll(/: (fresh|other) </g)].map((match) => match[1]);
    assert.doesNotMatch(calls.join(' '), /(\w+) \1/, 'every call of both is there');
    await files.write('current_tracer', 'nop');
    assert.equal(await files.read('enabled_functions'), '');
  }
});
