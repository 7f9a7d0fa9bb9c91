import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exceptions } from './exceptions.js';
import { CALLER, descriptorsOf, EventLog, type Logged } from './testing/event-log.js';

const parent = Object.getPrototypeOf(process) as object;

/** Runs a program with all events of the system on; returns its records, its exit code and what else it wrote. */
function program(
  source: string,
  flags: readonly string[] = [],
): { records: readonly Logged[]; code: number | null; stderr: string } {
  const text = `
import { writeSync } from 'node:fs';
import { EventLog } from ${JSON.stringify(new URL('testing/event-log.js', import.meta.url).href)};
import { exceptions } from ${JSON.stringify(new URL('exceptions.js', import.meta.url).href)};
const log = new EventLog(exceptions);
log.enable();
process.on('exit', () => writeSync(1, JSON.stringify(log.take())));
${source}`;
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', text], {
    encoding: 'utf8',
  });
  return { records: JSON.parse(stdout) as Logged[], code: status, stderr };
}

test('an uncaught exception is recorded, and ends the program as before', () => {
  const { records, code, stderr } = program('class Odd extends TypeError {} setTimeout(() => { throw new Odd("broken") });');
  assert.deepEqual(records, [
    ['uncaught_exception', { type: 'Odd', msg: 'broken', origin: 'uncaughtException', at: `${process.cwd()}/[eval1]:8:57` }],
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /Odd|broken/);
});

test('an unhandled rejection stays unhandled', () => {
  const { records, code } = program('Promise.reject(new RangeError("far"))');
  const at = `${process.cwd()}/[eval1]:8:16`;
  assert.deepEqual(records, [
    ['unhandled_rejection', { type: 'RangeError', msg: 'far', promise: 1, at, rejecter: CALLER, maker: CALLER }],
    ['uncaught_exception', { type: 'RangeError', msg: 'far', origin: 'unhandledRejection', at }],
  ]);
  assert.equal(code, 1);
});

test('a rejection that is handled late is recorded with the same number', () => {
  const { records, code } = program(
    'const late = Promise.reject(7); setTimeout(() => late.catch(() => {}), 5); setTimeout(() => {}, 20);',
    ['--unhandled-rejections=none'],
  );
  const at = `${process.cwd()}/[eval1]:8:22`;
  const handledAt = `${process.cwd()}/[eval1]:8:60`;
  assert.deepEqual(records, [
    ['unhandled_rejection', { type: 'number', msg: 7, promise: 1, at, rejecter: CALLER, maker: CALLER }],
    ['rejection_handled', { promise: 1 }],
    [
      'warning',
      {
        type: 'PromiseRejectionHandledWarning',
        msg: 'Promise rejection was handled asynchronously (rejection id: 1)',
        at: handledAt,
      },
    ],
  ]);
  assert.equal(code, 0);
});

test('a listener of the program handles it, as without the event', () => {
  const { records, code } = program(`process.on('uncaughtException', () => {}); setTimeout(() => { throw null });`);
  assert.deepEqual(records, [['uncaught_exception', { type: 'null', msg: null, origin: 'uncaughtException', at: '' }]]);
  assert.equal(code, 0);
});

test('warnings are recorded', async () => {
  const log = new EventLog(exceptions);
  log.enable();
  const seen: unknown[] = [];
  const listener = (warning: Error): void => void seen.push(warning.message);
  process.on('warning', listener);
  process.emitWarning('careful', 'SlowWarning', 'S001');
  await turn();
  process.off('warning', listener);
  log.disable();
  // Node may warn of something else at any time.
  const careful = log.take().flatMap(([event, { at, ...fields }]) => {
    if (fields['msg'] !== 'careful') return [];
    return [[event, { ...fields, at: String(at).startsWith(fileURLToPath(import.meta.url)) ? 'here' : at }]];
  });
  assert.deepEqual(careful, [['warning', { type: 'SlowWarning', msg: 'careful', at: 'here' }]]);
  assert.deepEqual(
    seen.filter((message) => message === 'careful'),
    ['careful'],
  );
});

test('getters and proxies of what was thrown do not run', () => {
  const log = new EventLog(exceptions);
  log.enable('warning');
  const trap = (): never => assert.fail('the program’s code ran');
  const handler = new Proxy({}, { get: trap });
  const hostile = [
    Object.defineProperties(new Error(), { message: { get: trap }, name: { get: trap } }),
    new Proxy({}, handler),
    Object.create(new Proxy({}, handler)) as object,
    () => {},
  ];
  // Only fentry sees these: Node's own listener would print them.
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  for (const value of hostile) process.emit('warning', value as never);
  for (const listener of listeners) process.on('warning', listener);
  log.disable();
  assert.deepEqual(
    log.take().map(([, { type }]) => type),
    ['Error', 'object', 'object', 'function'],
  );
});

test('process is as before while the events are on, and afterwards its prototype too', () => {
  const before = descriptorsOf(process, parent);
  const { emit } = process;
  const log = new EventLog(exceptions);
  log.enable('warning', 'uncaught_exception', 'rejection_handled');
  assert.deepEqual(descriptorsOf(process), (before as unknown[]).slice(0, 1));
  assert.deepEqual([process.emit.name, process.emit.length], [emit.name, emit.length]);
  log.disable();
  assert.deepEqual(descriptorsOf(process, parent), before);
});

test('a wrapper that the program has put on top stays, and records once when the events are on again', async () => {
  const log = new EventLog(exceptions);
  log.enable('warning');
  const { emit } = process;
  const wrapper = function (this: NodeJS.Process, ...args: unknown[]): boolean {
    return Reflect.apply(emit, this, args) as boolean;
  };
  Object.assign(process, { emit: wrapper });
  log.disable();
  log.enable('warning');
  process.emitWarning('once');
  await turn();
  log.disable();
  assert.equal(process.emit, wrapper);
  Reflect.deleteProperty(process, 'emit');
  assert.equal(log.take().filter(([, { msg }]) => msg === 'once').length, 1);
});

test('process.domain has the value that the program gives it, and is a plain property again afterwards', () => {
  const holder = process as unknown as { domain: unknown };
  const before = Object.getOwnPropertyDescriptor(process, 'domain');
  const log = new EventLog(exceptions);
  log.enable('unhandled_rejection');
  assert.equal(holder.domain, null);
  assert.equal(Object.getOwnPropertyDescriptor(process, 'domain')!.enumerable, before!.enumerable);
  const own = {};
  holder.domain = own;
  assert.equal(holder.domain, own);
  log.disable();
  assert.deepEqual(Object.getOwnPropertyDescriptor(process, 'domain'), { ...before, value: own });
  holder.domain = null;
});

test('a program that uses domains gets its errors there', () => {
  const { records, code } = program(`
const { create } = await import('node:domain');
const domain = create();
domain.on('error', (error) => writeSync(2, 'domain has ' + error));
domain.run(() => { Promise.reject(9); });
setTimeout(() => {}, 5);`);
  assert.deepEqual(records, []);
  assert.equal(code, 0);
});
