// The ring buffer: the clocks that Node offers, what an event adds to reading the clock, what decoding one takes.
import { createRingBuffer, PageCursor, RingBufferReader, RingBufferWriter, traceClock } from '../build/src/ring-buffer/index.js';
import { verdict } from './lib/verdict.mjs';

const SLICES = Number(process.env.SLICES ?? 300);
const CALLS = 20_000;

/**
 * Nanoseconds a call of each function: the least of many short slices taken in turn, so that what else the machine does
 * disturbs all alike. Each function gets a loop of its own, whose text differs from the others': V8 lets equal texts share their
 * type feedback.
 */
const nanoseconds = (functions) => {
  const loops = Object.entries(functions).map(([name, call]) => {
    const loop = new Function(
      'call',
      'calls',
      `let sum = 0; for (let i = 0; i < calls; i++) sum += call(); return sum; // ${name}`,
    );
    return { name, run: () => loop(call, CALLS), least: Number.POSITIVE_INFINITY };
  });
  for (let slice = 0; slice < SLICES; slice++) {
    for (const loop of loops) {
      const before = process.hrtime.bigint();
      loop.run();
      loop.least = Math.min(loop.least, Number(process.hrtime.bigint() - before) / CALLS);
    }
  }
  return Object.fromEntries(loops.map(({ name, least }) => [name, least]));
};

const memory = createRingBuffer(1 << 20);
const writer = new RingBufferWriter(memory);
/** A record of 24 bytes, as the function tracer writes it. */
const event = () => {
  const at = writer.reserve(24, traceClock());
  if (at < 0) return 0;
  const { u32 } = writer;
  u32[at] = 1;
  u32[at + 1] = 4711;
  u32[at + 2] = 0x1234;
  u32[at + 3] = 0xffffffff;
  u32[at + 4] = 0x5678;
  u32[at + 5] = 0xffffffff;
  writer.commit();
  return at;
};
const measured = nanoseconds({
  traceClock,
  'performance.now()': () => Math.floor(performance.now() * 1e6),
  'process.hrtime.bigint()': () => Number(process.hrtime.bigint()),
  event,
});
for (const name of ['performance.now()', 'process.hrtime.bigint()']) {
  verdict({
    name: `clock, ${name}`,
    ratio: measured[name] / measured.traceClock,
    detail: `${measured[name].toFixed(1)} ns / ${measured.traceClock.toFixed(1)} ns for traceClock()`,
  });
}
verdict({
  name: 'clock and event, 24 bytes',
  ratio: measured.event / measured.traceClock,
  detail: `${measured.event.toFixed(1)} ns / ${measured.traceClock.toFixed(1)} ns for the clock alone`,
});

const words = new Int32Array(new SharedArrayBuffer(64));
const stores = nanoseconds({
  nothing: () => 1,
  plain: () => (words[0] = 1),
  atomic: () => Atomics.store(words, 0, 1),
});
verdict({
  name: 'commit by Atomics.store',
  ratio: (stores.atomic - stores.nothing) / measured.traceClock,
  detail: `${(stores.atomic - stores.nothing).toFixed(1)} ns more than nothing, a plain store ${(stores.plain - stores.nothing).toFixed(1)} ns; divided by the clock`,
});

const reader = new RingBufferReader(memory);
const cursor = new PageCursor();
const page = new Uint8Array(reader.subbufBytes);
const pageWords = new Uint32Array(page.buffer);
reader.readPage(page);
let onPage = 0;
const countPage = () => {
  onPage = 0;
  for (cursor.open(pageWords, 0); cursor.next(); ) onPage++;
  return onPage;
};
const reading = nanoseconds({ countPage });
verdict({
  name: 'decode an event',
  ratio: reading.countPage / onPage / measured.traceClock,
  detail: `${(reading.countPage / onPage).toFixed(2)} ns, divided by the clock`,
});
