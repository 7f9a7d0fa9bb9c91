import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const TRACEPOINT = resolve('dist/tracepoint.cjs');

/** A library with a tracepoint, of which the program has two copies, a tracepoint without an event, and timers. */
const PROGRAM = `
const load = () => { delete require.cache[${JSON.stringify(TRACEPOINT)}]; return require(${JSON.stringify(TRACEPOINT)}); };
const fields = ({ u32 }) => ({ number: u32((order) => order.id) });
const declared = [load(), load()].map((copy) =>
  copy.traceEvent('shop', 'placed', { args: ['order', 'by'], fields: fields(copy), print: '"number=%u", REC->number' }));
const { defineTrace, traceEvent, string } = load();
const other = traceEvent('shop', 'placed', { args: ['text'], fields: { text: string((text) => text) }, print: '"%s", __get_str(text)' });
const raw = defineTrace('shop', 'raw', { args: ['id', 'name'] });
let id = 0;
setInterval(function tick() {
  id++;
  declared[0]({ id: 1e6 + id, name: 'first' }, 'ann');
  declared[1]({ id: 2e6 + id, name: 'second' }, 'bob');
  other('none');
  raw(id, 'n' + id);
}, 5);
`;

test('t: probes are hit by all tracepoints of a name, take arguments and not fields, and switch Node’s sources on', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PROGRAM);
  let said = '';
  program.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const append = async (path: string, text: string): Promise<string> => (await sandbox.fentry('append', path, '--', text)).stderr;
  const cat = (path: string): Promise<string> => sandbox.read(path);
  await until(async () => (await cat('available_events')).includes('shop:placed'), 'the event is declared');
  assert.match(
    await append('kprobe_events', 't:x placed number'),
    /number is no argument of shop:placed, which has order, by \(EINVAL\)/,
  );
  assert.match(await append('kprobe_events', 't:x absent'), /Tracepoint is not found \(ENOENT\)/);
  for (const line of [
    't:by placed id=order.id:u32 by $arg2',
    't:all placed $arg*',
    't:plain raw id:u32 name',
    't:due timer_expire_entry now',
    't:on sched_switch',
  ]) {
    assert.equal(await append('kprobe_events', line), '', line);
  }
  assert.match(await cat('kprobe_events'), /^t:tracepoints\/all placed order=order by=by$/m);
  // Each alone: its source is switched on by nothing else.
  for (const event of ['due', 'on']) {
    assert.equal(await append(`events/tracepoints/${event}/enable`, '1'), '');
    await until(async () => (await cat('trace')).includes(` ${event}: `), `${event} is hit`);
    assert.equal(await append(`events/tracepoints/${event}/enable`, '0'), '');
  }
  assert.match(await cat('trace'), / due: \(0\) now=[1-9]\d*\n/);
  assert.equal(await append('events/tracepoints/enable', '1'), '');
  await until(async () => /by: .*bob/.test(await cat('trace')), 'both copies are heard');
  assert.equal(await append('events/shop/placed/enable', '1'), '');
  await until(async () => /placed: number=2\d{6}\n/.test(await cat('trace')), 'both copies are recorded');
  const trace = await cat('trace');
  assert.match(trace, / by: \(0\) id=1\d{6} by="ann" arg3="ann"\n/);
  assert.match(trace, / by: \(0\) id=2\d{6} by="bob" arg3="bob"\n/);
  assert.match(trace, / all: \(0\) order=\{id: 1\d{6}, name: "first"\} by="ann"\n/);
  assert.match(trace, / plain: \(0\) id=(\d+) name="n\1"\n/);
  assert.match(trace, / placed: number=1\d{6}\n/);
  const hits = new Map(
    [...(await cat('kprobe_profile')).matchAll(/^\s+(\w+)\s+(\d+)\s+\d+$/gm)].map(([, name, count]) => [name, Number(count)]),
  );
  for (const name of ['by', 'all', 'plain', 'due', 'on']) assert.ok(hits.get(name)! > 0, `${name} has hits`);
  assert.match(said, /shop:placed is declared a second time, with other fields: the calls of that one are not recorded/);
  assert.equal(await append('events/tracepoints/enable', '0'), '');
});
