import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { REQUIRED, Sandbox, until } from './support/program.js';

/**
 * Replaces the built-ins of a program, all but those without which Node itself does not run on, by functions that throw.
 * @param which a regular expression of those
 */
const REPLACE = (which: string): string => `
{
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf: of, entries } = Object;
  const { ownKeys } = Reflect;
  const of2 = (one) => of(one[Symbol.iterator]());
  const holders = {
    Array, Map, Set, WeakMap, WeakSet, WeakRef, String, Number, BigInt, RegExp, Function, Object, Promise, Date, Symbol,
    ArrayBuffer, SharedArrayBuffer, DataView, FinalizationRegistry, Boolean, Atomics, Math, JSON, Reflect,
    ArrayIterator: of2([]), MapIterator: of2(new Map()), SetIterator: of2(new Set()), StringIterator: of2(''),
    Iterator: of(of2([])),
  };
  const wanted = new RegExp(${JSON.stringify(which)});
  // Node’s own: timers, listeners, and messages need them.
  const kept = /^(Array.prototype.pop|Function.prototype.(apply|Symbol.*)|.*\\.(constructor|hasOwnProperty|__proto__))$/;
  const all = [];
  for (const [name, holder] of entries(holders)) {
    for (const [label, one] of [[name, holder], [name + '.prototype', holder.prototype]]) {
      for (const key of one === undefined ? [] : ownKeys(one)) {
        const full = label + '.' + String(key);
        const { configurable, value, get } = getOwnPropertyDescriptor(one, key);
        if (!configurable || kept.test(full) || !wanted.test(full)) continue;
        if (typeof value === 'function' || get !== undefined) all.push({ one, key, full, isGetter: get !== undefined });
      }
    }
  }
  const { Error } = globalThis;
  for (let i = 0; i < all.length; i++) {
    const { one, key, full, isGetter } = all[i];
    const replaced = () => { throw new Error('replaced: ' + full); };
    defineProperty(one, key, isGetter ? { get: replaced, configurable: true } : { value: replaced, configurable: true });
  }
}`;

const PROGRAM = `
const { setInterval, RangeError } = globalThis;
const { writeSync } = require('node:fs');
function hot(text, one) { if (one.n === 3) throw new RangeError('three'); return text.length; }
${REPLACE('.')}
writeSync(1, 'replaced');
let i = 0;
setInterval(() => {
  i++;
  try { hot('abc', { n: i % 4 }); } catch {}
}, 2);
`;

test('a program that has replaced all of its built-ins is traced by scripts, and runs on', async (t) => {
  const sandbox = new Sandbox(t);
  // With --import, Node 24 and later load the file as a module, and go through a Set of its names when it has run.
  const program = await sandbox.startRequired(PROGRAM);
  const { pid } = program;
  await once(program.stdout!, 'data');
  const stap = await sandbox.fentry(
    'stap',
    ...['-x', String(pid), '-e'],
    `global n, byText, all, lengths
    probe kernel.function("hot") {
      if (n++ > 50) exit()
      byText[user_string($text), $one->n] = n
      all[substr(user_string($text), 0, 2)] <<< n
    }
    probe kernel.function("hot").return { lengths[thrown() == "" ? sprintf("%d", $return) : "thrown"] <<< 1 }
    probe end {
      foreach ([text, at] in byText+) printf("%s %d\\n", text, at)
      foreach (text in all) printf("%s %d\\n", text, @max(all[text]) > 40)
      foreach (text in lengths+) printf("%s %d\\n", text, @count(lengths[text]) > 5)
    }`,
  );
  assert.equal(stap.stderr, '');
  assert.deepEqual(stap.stdout.split('\n').toSorted(), ['', '3 1', 'ab 1', 'abc 0', 'abc 1', 'abc 2', 'abc 3', 'thrown 1']);
  const bpftrace = await sandbox.fentry(
    'bpftrace',
    ...['-p', String(pid), '-e'],
    'kprobe:hot { @[str(arg0)] = count(); @n++; if (@n == 20) { printf("%s %s\\n", func, ustack(1)); exit(); } }',
  );
  assert.match(bpftrace.stdout, /^Attaching 1 probe\.\.\.\nhot\s+hot\+/, bpftrace.stderr);
  assert.match(bpftrace.stdout, /^@\[abc\]: 20$/m);
  // Other tracers, too.
  const client = sandbox.client(pid);
  await client.write('set_ftrace_filter', 'hot\n');
  await client.write('current_tracer', 'function_graph\n');
  await until(async () => (await client.read('trace')).includes(' hot(); /* unwound */'), 'a call of hot is recorded');
  await client.write('current_tracer', 'function\n');
  await until(async () => /: hot <-/.test(await client.read('trace')), 'a call of hot is recorded with its caller');
  await client.write('current_tracer', 'nop\n');
  // Node's own events, too, whose sources call more than a site does.
  for (const event of ['exceptions/caught_exception', 'irq/softirq_entry', 'sched/sched_switch', 'timer/timer_start']) {
    await client.write(`events/${event}/enable`, '1\n');
    const [, name] = event.split('/');
    await until(async () => (await client.read('trace')).includes(` ${name}: `), `${name} is recorded`);
    // Node takes its hook of promises away in a microtask: what that throws would end the program.
    await client.write(`events/${event}/enable`, '0\n');
  }
  await client.write('trace', '\n');
  await client.write('events/exceptions/caught_exception/enable', '1\n');
  await until(async () => (await client.read('trace')).includes(' caught_exception: '), 'the program goes on');
  await client.write('events/exceptions/caught_exception/enable', '0\n');
  assert.equal(await client.read('enabled_functions'), '');
});

/** What a program prints, without the frames in its stacks. */
async function printed(sandbox: Sandbox, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await sandbox.run(args);
  return `${stdout}${stderr.replaceAll(/^ +at .*\n/gm, '')}${code}`;
}

test('a program that has replaced its built-ins dies of its own error', async (t) => {
  const sandbox = new Sandbox(t);
  const dies = `const { Error } = globalThis;
function dies() { throw new Error('its own'); }
${REPLACE('.')}
dies();`;
  const file = sandbox.file('dies.cjs', dies);
  const plain = await printed(sandbox, file);
  assert.match(plain, /^Error: its own$/m);
  assert.equal(await printed(sandbox, '--require', REQUIRED, file), plain);
});

/** Built-ins that Node itself calls for what the program below asks of it, on one Node or another. */
const NODES_OWN = [
  'Array\\.Symbol\\(Symbol\\.species\\)',
  'Array\\.prototype\\.(map|Symbol\\(Symbol\\.iterator\\))',
  'ArrayIterator\\.next',
  'ArrayBuffer\\.prototype\\.byteLength',
  'Function\\.prototype\\.(bind|call|toString)',
  'Object\\.prototype\\.valueOf',
  'Promise\\.(prototype\\.then|Symbol\\(Symbol\\.species\\))',
  'SetIterator\\.next',
  'Set\\.prototype\\.Symbol\\(Symbol\\.iterator\\)',
  'String\\.prototype\\.(startsWith|toString)',
].join('|');

test('a program that has replaced built-ins loads and compiles texts as without fentry', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('part.cjs', 'exports.twice = (n) => 2 * n;');
  sandbox.file('part.mjs', 'export const thrice = (n) => 3 * n;');
  const named = sandbox.file('named.cjs', 'function named() { return 6; }');
  const file = sandbox.file(
    'loads.cjs',
    `const { writeSync } = require('node:fs');
    const vm = require('node:vm');
    const say = (text) => writeSync(1, text + '\\n');
    const tried = (what, run) => { try { say(what + ' ' + run()); } catch (error) { say(what + ' threw ' + error.message); } };
    function shown(a) { return a + 1; }
    ${REPLACE(`^(?!(${NODES_OWN})$)`)}
    tried('file', () => require('./part.cjs').twice(21));
    tried('node', () => typeof require('node:zlib').gzipSync);
    tried('eval', () => (0, eval)('(function f() { return 3; })()'));
    tried('Function', () => new Function('a', 'return a + 1')(4));
    tried('text', () => shown.toString());
    tried('here', () => vm.runInThisContext('(function f() { return 5; })()', { filename: ${JSON.stringify(named)} }));
    tried('elsewhere', () => vm.runInNewContext('(function f() { return 5; })()'));
    tried('compiled', () => vm.compileFunction('return a', ['a'], { filename: ${JSON.stringify(named)} })(7));
    import('./part.mjs').then((part) => say('module ' + part.thrice(4)), (error) => say('module ' + error.message));`,
  );
  const plain = await printed(sandbox, file);
  assert.doesNotMatch(plain, /threw/);
  assert.match(plain, /^module 12$/m);
  assert.equal(await printed(sandbox, '--require', REQUIRED, file), plain);
});
