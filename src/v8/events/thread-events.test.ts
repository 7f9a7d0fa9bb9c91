import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent, type TraceEvent } from '../../events/define.js';
import type { EventConfig } from '../../events/event-config.js';
import { EventWords } from '../../events/event-words.js';
import { parseFilter } from '../../events/filter/parse-filter.js';
import { printedText } from '../../events/print/printed-text.js';
import { listenToTracepoints } from '../../tracepoint/declared.js';
import { int, string, symbol, traceEvent } from '../../tracepoint/index.js';
import { fieldSpecs } from '../node-events/field-specs.js';
import { entry } from '../tracers/testing/hand-sites.js';
import { createTraced } from '../tracers/testing/traced.js';

const sale = traceEvent<[order: { readonly price: number; readonly by: unknown; readonly name: string }]>('unit', 'sale', {
  args: ['order'],
  fields: { price: int((order) => order.price), name: string((order) => order.name), by: symbol((order) => order.by) },
  print: '"price=%d name=%s by=%ps", REC->price, __get_str(name), (void *)REC->by',
});

let found: TraceEvent | undefined;
listenToTracepoints(({ tracepoint, parts }) => {
  if (tracepoint.event !== 'sale') return;
  found = { ...defineEvent('unit', 'sale', { fields: fieldSpecs(parts!.fields), print: parts!.print }), id: 500 };
});
const event = found!;

/** A thread that records the event so, and what it has recorded as text. */
function createThread(change: Partial<EventConfig> = {}) {
  const traced = createTraced(['seller']);
  traced.tracepoints.listen();
  const words = new EventWords();
  const print = printedText(event, {
    symbol: (address) => (Number(address) === 0 ? '0x0' : `seller@${BigInt.asUintN(64, BigInt(address)).toString(16)}`),
    pointer: String,
    array: (elements) => elements.join(' '),
  });
  const configure = (config: Partial<EventConfig> | undefined): void =>
    traced.runtime.events.configure({
      instance: 0,
      event,
      memory: words.memory,
      ...(config && { config: { word: words.take(0)!, isRecorded: true, triggers: [], hists: [], ...config } }),
    });
  configure(change);
  return {
    configure,
    texts: () => traced.words().map((record) => print({ bytes: new Uint8Array(record.buffer), at: 0, size: record.byteLength })),
  };
}

const seller = new Function(`return function seller(a) { ${entry(0, 'a')} return a; }`)() as () => void;

test('an event’s fields are taken from the arguments of its tracepoint; a function shows as its symbol', () => {
  const { texts, configure } = createThread();
  sale({ price: 5, name: 'tea', by: seller });
  sale({ price: -1, name: 'Grüße', by: 'nobody' });
  const [first, second] = texts();
  assert.match(first!, /^price=5 name=tea by=seller@ffffffff8[\da-f]{7}$/);
  assert.equal(second, 'price=-1 name=Grüße by=0x0');
  configure(undefined);
  assert.equal(sale.enabled(), false);
});

test('a field that cannot be taken costs only itself; the program sees nothing of it', () => {
  const { texts, configure } = createThread();
  const hostile = {
    get price(): number {
      throw new Error('no price');
    },
    name: 'x',
    by: undefined,
  };
  sale(hostile);
  sale(undefined as never);
  assert.deepEqual(texts(), ['price=0 name=x by=0x0', 'price=0 name=(fault) by=0x0']);
  configure(undefined);
});

test('a filter that rejects leaves no record; a trigger with a count acts so often', () => {
  const filter = parseFilter(event, 'price > 10 && name ~ "t*"');
  const { texts, configure } = createThread({ filter });
  for (const [price, name] of [
    [5, 'tea'],
    [20, 'tea'],
    [20, 'milk'],
  ] as const)
    sale({ price, name, by: 0 });
  assert.deepEqual(texts(), ['price=20 name=tea by=0x0']);
  configure(undefined);
});

test('an event inside another’s getter is not recorded: a tracepoint that records itself ends', () => {
  const { texts, configure } = createThread();
  const order = {
    get price(): number {
      sale({ price: 1, name: 'inner', by: 0 });
      return 2;
    },
    name: 'outer',
    by: 0,
  };
  sale(order);
  assert.deepEqual(texts(), ['price=2 name=outer by=0x0']);
  configure(undefined);
});
