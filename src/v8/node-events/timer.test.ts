import assert from 'node:assert/strict';
import { test } from 'node:test';
import timers, { clearTimeout as imported } from 'node:timers';
import { type HeardEvent, hear, setClockBehind } from './testing/heard-events.js';
import { timer } from './timer.js';

const EVENTS = ['timer_init', 'timer_start', 'timer_expire_entry', 'timer_expire_exit', 'timer_cancel'];

/** The events of one timer, with its address and the times left out. */
const of = (heard: readonly HeardEvent[], address: unknown): string[] =>
  heard
    .filter(({ values }) => values.timer === address)
    .map(({ name, text }) => `${name} ${text.replace(/timer=\w+ ?/, '').replace(/(expires|now|baseclk)=\d+ ?/g, '')}`.trim());

const asyncIdOf = (one: object): unknown =>
  Reflect.get(one, Object.getOwnPropertySymbols(one).find(({ description }) => description === 'asyncId')!);

test('a timer is made, started, expires', async () => {
  const { heard, stop } = hear(timer, EVENTS);
  const one = await new Promise<NodeJS.Timeout>((resolve) => {
    const waiting = setTimeout(function greet() {
      resolve(waiting);
    }, 3);
  });
  await new Promise(setImmediate);
  stop();
  const address = asyncIdOf(one);
  assert.deepEqual(of(heard, address), [
    'timer_init',
    'timer_start function=greet [timeout=3] cpu=0 flags=',
    'timer_expire_entry function=greet',
    'timer_expire_exit',
  ]);
  const { now, baseclk } = heard.find(({ name, values }) => name === 'timer_expire_entry' && values.timer === address)!.values;
  assert.ok(Number(now) >= Number(baseclk));
});

test('no timer runs before it is due, though the origin of its times is known to a millisecond only', async () => {
  const { heard, stop } = hear(timer, ['timer_expire_entry']);
  setClockBehind(5e6);
  await new Promise((resolve) => setTimeout(resolve, 3));
  setClockBehind(0);
  stop();
  const late = heard.map(({ values: { now, baseclk } }) => Number(now) - Number(baseclk));
  assert.ok(late.length > 0 && Math.min(...late) >= 0, late.join());
});

test('an interval is started again each time, until it is cancelled', async () => {
  const { heard, stop } = hear(timer, EVENTS);
  let times = 0;
  const one = await new Promise<NodeJS.Timeout>((resolve) => {
    const every = setInterval(() => {
      if (++times === 2) setImmediate(resolve, every);
    }, 1);
  });
  const present = heard.length;
  clearInterval(one);
  clearInterval(one);
  stop();
  const names = of(heard.slice(0, present), asyncIdOf(one)).map((line) => line.replace(/ .*/, ''));
  const round = ['timer_start', 'timer_expire_entry', 'timer_expire_exit'];
  assert.deepEqual(names.filter((name) => name !== 'timer_expire_exit').slice(0, 6), [
    'timer_init',
    'timer_start',
    'timer_expire_entry',
    'timer_start',
    'timer_expire_entry',
    'timer_start',
  ]);
  assert.ok(round.every((name) => names.includes(name)));
  assert.deepEqual(of(heard.slice(present), asyncIdOf(one)), ['timer_cancel']);
});

test('refresh starts a timer again; every way to cancel one is seen, and none that cancels nothing', () => {
  const { heard, stop } = hear(timer, ['timer_start', 'timer_cancel']);
  const lines = (work: (one: NodeJS.Timeout) => void): string[] => {
    const one = setTimeout(() => {}, 1e6).unref();
    const present = heard.length;
    work(one);
    clearTimeout(one);
    return of(heard.slice(present), asyncIdOf(one));
  };
  const refreshed = lines((one) => one.refresh());
  const ways = [
    (one: NodeJS.Timeout) => imported(one),
    (one: NodeJS.Timeout) => clearTimeout(+one),
    (one: NodeJS.Timeout) => clearInterval(String(+one)),
    (one: NodeJS.Timeout) => one.close(),
  ].map(lines);
  const nothing = heard.length;
  for (const value of [undefined, null, 4711, {}, new Proxy({}, {}), 'x', Symbol('s')]) clearTimeout(value as never);
  const after = heard.length;
  stop();
  assert.deepEqual(refreshed, ['timer_start function= [timeout=1000000] cpu=0 flags=D', 'timer_cancel']);
  for (const way of ways) assert.deepEqual(way, ['timer_cancel']);
  assert.equal(after, nothing);
});

test('while it is on, the functions look as before; afterwards they are as before', () => {
  const prototype = Object.getPrototypeOf(setTimeout(() => {}, 1).unref()) as object;
  const names = ['clearTimeout', 'clearInterval', 'refresh', 'close', ...Object.getOwnPropertySymbols(prototype)];
  const all = (): (PropertyDescriptor | undefined)[][] =>
    [timers, globalThis, prototype].map((holder) => names.map((name) => Object.getOwnPropertyDescriptor(holder, name)));
  const shown = (): unknown =>
    [timers.clearTimeout, clearInterval, Reflect.get(prototype, 'refresh')].map((f) => [f.name, f.length, typeof f]);
  const before = all();
  const looks = shown();
  const { stop } = hear(timer, EVENTS);
  assert.deepEqual(shown(), looks);
  assert.equal(timers.clearTimeout, clearTimeout);
  assert.notEqual(timers.clearTimeout, before[0]![0]!.value);
  stop();
  assert.deepEqual(all(), before);
});
