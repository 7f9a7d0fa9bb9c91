import assert from 'node:assert/strict';
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { printk } from './printk.js';
import { descriptorsOf, EventLog } from './testing/event-log.js';

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });

/** Runs `act` while the global console writes nowhere, and says what was recorded: `LEVEL TEXT`. */
function consoled(act: () => void): readonly string[] {
  const { _stdout, _stderr } = console as never as Record<string, unknown>;
  Object.assign(console, { _stdout: nowhere, _stderr: nowhere });
  const log = new EventLog(printk);
  log.enable();
  try {
    act();
  } finally {
    log.disable();
    Object.assign(console, { _stdout, _stderr });
  }
  return log.take().map(([, { level, msg }]) => `${level} ${msg}`);
}

test('every method that writes is recorded once, with its level and the text that it writes', () => {
  const lines = consoled(() => {
    console.log('%s is %d', 'answer', 42, { a: [1] });
    console.info('info');
    console.debug('debug');
    console.warn('warn');
    console.error(new Error('broken').message);
    console.dir({ a: { b: { c: { d: 1 } } } });
    console.dirxml('xml', 1);
    console.assert(true, 'never');
    console.assert(1 > 2, 'sums');
    console.count();
    console.group('outer');
    console.log('inner');
    console.groupEnd();
    console.table([{ a: 1 }]);
  });
  assert.deepEqual(lines.slice(0, -1), [
    '6 answer is 42 { a: [ 1 ] }',
    '6 info',
    '7 debug',
    '4 warn',
    '3 broken',
    '6 { a: { b: { c: [Object] } } }',
    '6 xml 1',
    '4 Assertion failed: sums',
    '6 default: 1',
    '6 outer',
    '6 inner',
  ]);
  assert.match(lines.at(-1) ?? '', /^6 ┌.*\n│ \(index\) │ a │/);
});

test('timeEnd and trace are recorded', () => {
  const lines = consoled(() => {
    console.time('t');
    console.timeEnd('t');
    console.trace('here');
  });
  assert.match(lines[0] ?? '', /^6 t: \d/);
  assert.match(lines[1] ?? '', /^3 Trace: here\n {4}at /);
  assert.equal(lines.length, 2);
});

test('what the program formats runs once, as without the event', () => {
  let runs = 0;
  const object = { [inspect.custom]: () => `run ${++runs}` };
  const proxy = new Proxy({}, { get: () => assert.fail('the trap ran'), ownKeys: () => assert.fail('the trap ran') });
  const [line] = consoled(() => console.log(object, proxy));
  assert.match(line ?? '', /^6 run 1 (\{\}|Proxy\(\{\}\))$/);
});

test('a console of the program’s own is recorded by its streams', () => {
  const lines = consoled(() => {
    const own = new Console(nowhere, nowhere);
    own.info('one');
    own.warn('two');
  });
  assert.deepEqual(lines, ['6 one', '3 two']);
});

test('colours are left out', () => {
  const lines = consoled(() => new Console({ stdout: nowhere, colorMode: true }).log({ a: 1 }));
  assert.deepEqual(lines, ['6 { a: 1 }']);
});

test('afterwards the console is as before, and what the program put on top stays', () => {
  const before = descriptorsOf(console, Console.prototype);
  consoled(() => {});
  assert.deepEqual(descriptorsOf(console, Console.prototype), before);

  const { log } = console;
  let wrapped: typeof console.log | undefined;
  consoled(() => {
    const { log: inner } = console;
    wrapped = (...args) => inner('wrapped', ...args);
    console.log = wrapped;
  });
  assert.equal(console.log, wrapped);
  try {
    assert.deepEqual(
      consoled(() => console.log(1)),
      ['6 wrapped 1'],
    );
  } finally {
    console.log = log;
  }
});
