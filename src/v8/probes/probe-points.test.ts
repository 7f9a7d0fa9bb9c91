import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { defineEvent, type TraceEvent } from '../../events/define.js';
import { EventWords } from '../../events/event-words.js';
import { address, dynamic, type FieldSpecs, one } from '../../events/fields.js';
import { printedText } from '../../events/print/printed-text.js';
import { OPS_ID } from '../../ftrace/ops.js';
import type { Fetch, ProbeArgument, ProbeTypeName } from '../../probes/probe-definition.js';
import { probeEvent } from '../../probes/probe-event.js';
import type { PointPlace } from '../../probes/probe-point.js';
import { addressOf } from '../tracers/testing/address-of.js';
import { end, entry, ret, run } from '../tracers/testing/hand-sites.js';
import { createTraced } from '../tracers/testing/traced.js';
import { StandingPoint } from './standing-point.js';

const argument = (name: string, fetch: Fetch, type: ProbeTypeName = 'value'): ProbeArgument => ({
  name,
  text: name,
  fetch,
  type: { name: type },
});
const member = (of: Fetch, name: string): Fetch => ({ kind: 'member', of, name });
const first: Fetch = { kind: 'argument', index: 0 };

const ENTRY: FieldSpecs = { __probe_ip: address };
const RETURN: FieldSpecs = { __probe_func: address, __probe_ret_ip: address };

const defined = (fields: FieldSpecs, print: string): TraceEvent => ({
  ...defineEvent('kprobes', 'probe', { fields, print }),
  id: 700,
});

/** A thread with `outer`, function 0, that calls `inner`, function 1; an event, and a probe that causes it. */
function createProbed(event: TraceEvent, place: PointPlace, args: readonly ProbeArgument[], maxactive = 0) {
  const traced = createTraced(['outer', 'inner']);
  const words = new EventWords();
  const [word, hits, missed] = [words.take(0)!, words.take(0)!, words.take(0)!];
  const print = printedText(event, {
    symbol: (at) => `0x${BigInt.asUintN(32, BigInt(at)).toString(16)}`,
    pointer: String,
    array: String,
  });
  const point = { id: 1, event: 'kprobes:probe', place, args, maxactive, hits, missed };
  traced.runtime.setService('kprobe', { type: 'add', point });
  const config = { word, isRecorded: true, triggers: [], hists: [] };
  traced.runtime.events.configure({ instance: 0, event, memory: words.memory, config });
  if (place.kind === 'entry' || place.kind === 'return') traced.patchOnly(place.functions, [OPS_ID.KPROBE]);
  return {
    traced,
    texts: () => traced.words().map((record) => print({ bytes: new Uint8Array(record.buffer), at: 0, size: record.byteLength })),
    counts: () => ({ hits: words.words[hits], missed: words.words[missed] }),
    remove: () => traced.runtime.setService('kprobe', { type: 'remove', id: 1 }),
  };
}

const program = (): { outer: (value: unknown, name?: unknown) => unknown } => ({
  outer: run<(value: unknown, name?: unknown) => unknown>(
    `function inner(value) { ${entry(1, 'value')} ${ret('value')} ${end} }
     function outer(value, name) { ${entry(0, 'value,name')} ${ret('inner(value)')} ${end} } return outer;`,
  ),
});

test('a probe at an entry fetches arguments, members and `this`, each as its type', () => {
  const event = defined(
    { ...ENTRY, id: one('u32'), host: dynamic('char'), all: dynamic('char') },
    '"(%lx) id=%u host=\\"%s\\" all=%s", REC->__probe_ip, REC->id, __get_str(host), __get_str(all)',
  );
  const { texts, counts } = createProbed(event, { kind: 'entry', functions: [0] }, [
    argument('id', member(first, 'id'), 'u32'),
    argument('host', member(member(first, 'headers'), 'host'), 'string'),
    argument('all', first),
  ]);
  const { outer } = program();
  outer({ id: 7, headers: { host: 'a.example' } });
  outer({ id: 'x', headers: 5 });
  outer(undefined);
  const ip = `ffffffff${addressOf(0).toString(16)}`;
  assert.deepEqual(texts(), [
    `(${ip}) id=7 host="a.example" all={id: 7, headers: {…}}`,
    `(${ip}) id=0 host="(fault)" all={id: "x", headers: 5}`,
    `(${ip}) id=0 host="(fault)" all=undefined`,
  ]);
  assert.deepEqual(counts(), { hits: 3, missed: 0 });
});

test('a probe at a return has the result, the function and its caller; an exception is a fault', () => {
  const event = defined(
    { ...RETURN, result: dynamic('char') },
    '"(%lx <- %lx) %s", REC->__probe_func, REC->__probe_ret_ip, __get_str(result)',
  );
  const { texts, traced } = createProbed(event, { kind: 'return', functions: [0, 1] }, [argument('result', { kind: 'retval' })]);
  program().outer('tea');
  const [outer, inner] = [0, 1].map((n) => `ffffffff${addressOf(n).toString(16)}`);
  assert.deepEqual(texts(), [`(${inner} <- ${outer}) "tea"`, `(${outer} <- 0) "tea"`]);
  traced.stop();
});

test('a probe that is gone is not heard; another one on the same event is', () => {
  const event = defined(ENTRY, '"%lx", REC->__probe_ip');
  const { texts, remove, traced } = createProbed(event, { kind: 'entry', functions: [1] }, []);
  const { outer } = program();
  remove();
  outer(1);
  assert.deepEqual(texts(), []);
  const point = { id: 2, event: 'kprobes:probe', args: [], maxactive: 0, hits: 1, missed: 2 };
  traced.runtime.setService('kprobe', { type: 'add', point: { ...point, place: { kind: 'entry', functions: [1] } } });
  outer(1);
  assert.deepEqual(texts(), [`ffffffff${addressOf(1).toString(16)}`]);
});

test('of recursive calls at most maxactive are heard when they end; the others are missed', () => {
  const event = defined({ ...RETURN, n: one('s32') }, '"%d", REC->n');
  const { texts, counts } = createProbed(
    event,
    { kind: 'return', functions: [0] },
    [argument('n', { kind: 'retval' }, 's32')],
    2,
  );
  const down = run<(n: number) => number>(
    `function down(n) { ${entry(0, 'n')} if (n > 0) down(n - 1); ${ret('n')} ${end} } return down;`,
  );
  down(4);
  assert.deepEqual(texts(), ['3', '4']);
  assert.deepEqual(counts(), { hits: 2, missed: 3 });
});

test('getters, Proxies and throwing toString are never run: the value is a fault', () => {
  let ran = 0;
  const run = (): never => {
    ran++;
    throw new Error('the program’s own code');
  };
  const event = defined({ ...ENTRY, a: dynamic('char'), n: one('s64') }, '"%s %d", __get_str(a), REC->n');
  const { texts } = createProbed(event, { kind: 'entry', functions: [0] }, [
    argument('a', member(first, 'a'), 'string'),
    argument('n', member(first, 'n'), 's64'),
  ]);
  const { outer } = program();
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const values = [
    {
      get a() {
        return run();
      },
      n: Number.NaN,
    },
    new Proxy({}, { get: run, getPrototypeOf: run, getOwnPropertyDescriptor: run, has: run }),
    proxy,
    { a: { toString: run, [Symbol.toPrimitive]: run }, n: { valueOf: run } },
    Object.setPrototypeOf({ n: 2n ** 70n }, new Proxy({}, { get: run, getOwnPropertyDescriptor: run })),
    Symbol('s'),
    null,
  ];
  for (const value of values) outer(value);
  assert.equal(ran, 0);
  assert.deepEqual(texts(), ['(fault) 0', '(fault) 0', '(fault) 0', '(fault) 0', '(fault) 0', '(fault) 0', '(fault) 0']);
});

test('fields without gaps between them, arrays of integers and of texts, and bits', () => {
  const args: ProbeArgument[] = [
    argument('small', member(first, 'small'), 'u8'),
    argument('name', member(first, 'name'), 'string'),
    { ...argument('ids', member(first, 'ids'), 's16'), type: { name: 's16', count: 3 } },
    { ...argument('tags', member(first, 'tags'), 'string'), type: { name: 'string', count: 2 } },
    { ...argument('flags', member(first, 'flags'), 'u32'), type: { name: 'u32', bits: { width: 4, offset: 4 } } },
    argument('wide', member(first, 'wide'), 'x64'),
    argument('letter', member(first, 'name'), 'char'),
  ];
  const definition = { kind: 'kprobe', group: 'kprobes', event: 'probe', maxactive: 0, args } as const;
  const event = { ...probeEvent({ ...definition, place: { kind: 'symbol', symbol: 'outer', offset: 0 } }), id: 700 };
  const { texts } = createProbed(event, { kind: 'entry', functions: [0] }, args);
  program().outer({ small: 7, name: 'tea', ids: [1, -2, 3], tags: ['a', 'b'], flags: 0xf5, wide: 2n ** 40n });
  const ip = `ffffffff${addressOf(0).toString(16)}`;
  assert.deepEqual(texts(), [`(${ip}) small=7 name="tea" ids={1,-2,3} tags={"a","b"} flags=15 wide=0x10000000000 letter='t'`]);
});

test('a return probe has what its own call was made with, in recursion too', async () => {
  const event = defined({ ...RETURN, n: one('s32'), result: one('s32') }, '"%d -> %d", REC->n, REC->result');
  const { texts } = createProbed(event, { kind: 'return', functions: [0] }, [
    argument('n', first, 's32'),
    argument('result', { kind: 'retval' }, 's32'),
  ]);
  const sum = run<(n: number) => number>(
    `function sum(n) { ${entry(0, 'n')} ${ret('n === 0 ? 0 : n + sum(n - 1)')} ${end} } return sum;`,
  );
  sum(2);
  assert.deepEqual(texts(), ['0 -> 0', '1 -> 1', '2 -> 3']);
});

test('each of many probes of an event is connected once and disconnected once', (t) => {
  const many = 200;
  const traced = createTraced(Array.from({ length: many }, (_, n) => `f${n}`));
  const words = new EventWords();
  const [word, hits, missed] = [words.take(0)!, words.take(0)!, words.take(0)!];
  const event = defined(ENTRY, '"(%lx)", REC->__probe_ip');
  const connected = mock.method(StandingPoint.prototype, 'connect');
  t.after(() => connected.mock.restore());
  const configure = (isOn: boolean): void =>
    traced.runtime.events.configure({
      ...{ instance: 0, event, memory: words.memory },
      ...(isOn && { config: { word, isRecorded: true, triggers: [], hists: [] } }),
    });
  const add = (id: number): void => {
    const place: PointPlace = { kind: 'entry', functions: [id] };
    const point = { id, event: 'kprobes:probe', place, args: [], maxactive: 0, hits, missed };
    traced.runtime.setService('kprobe', { type: 'add', point });
  };
  const counts = { added: 0, removed: 0 };
  add(0);
  configure(true);
  for (let id = 1; id < many; id++) add(id);
  counts.added = connected.mock.callCount();
  // As an event is disabled: its probes go first.
  for (let id = 0; id < many; id++) traced.runtime.setService('kprobe', { type: 'remove', id });
  configure(false);
  counts.removed = connected.mock.callCount() - counts.added;
  assert.deepEqual(counts, { added: many, removed: many });
  assert.equal(new Set(connected.mock.calls.map(({ arguments: [probe] }) => probe)).size, many + 1, 'each is compiled once');
});
