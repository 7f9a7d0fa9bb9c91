import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelProcess } from '../../../test/parity/kernel-process.js';
import { defineEvent } from '../../events/define.js';
import { one } from '../../events/fields.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { O_RDONLY, type TraceDirectory } from '../tracefs/node.js';
import { lookup } from '../tracefs/path.js';
import { createTracefs } from '../tree/tracefs.js';

const TICK = defineEvent('timer', 'tick', { fields: { n: one('u32') }, print: '"n=%u", REC->n', hasId: true });

async function textOf(root: TraceDirectory, path: string): Promise<string> {
  const file = lookup(root, path);
  assert.equal(file.kind, 'file');
  const handle = await (file as Extract<typeof file, { kind: 'file' }>).open(O_RDONLY, { pid: 1, comm: 'test' });
  const text = Buffer.from(await handle.read(1 << 16)).toString();
  await handle.release();
  return text;
}

const listed = (root: TraceDirectory, path: string): string[] => [...(lookup(root, path) as TraceDirectory).names()];

test('an event that comes has files, in every instance, until it goes', async () => {
  const process = kernelProcess();
  const root = createTracefs(process);
  const before = listed(root, 'events');
  assert.deepEqual(before.slice(0, 4), ['enable', 'ftrace', 'header_event', 'header_page']);
  assert.deepEqual(listed(root, 'events/ftrace'), Object.keys(FTRACE_EVENTS).sort());
  const event = process.events.register(TICK);
  assert.deepEqual(listed(root, 'events'), [...before, 'timer'].sort());
  assert.deepEqual(listed(root, 'events/timer/tick'), ['enable', 'filter', 'format', 'hist', 'id', 'trigger']);
  assert.equal(await textOf(root, 'events/timer/tick/id'), `${event.id}\n`);
  const format = await textOf(root, 'events/timer/tick/format');
  assert.ok(format.startsWith(`name: tick\nID: ${event.id}\nformat:\n`));
  assert.match(format, /\tfield:u32 n;\toffset:8;\tsize:4;/);
  process.events.unregister(event);
  assert.throws(() => lookup(root, 'events/timer'), { errno: 'ENOENT' });
});

test('tens of thousands of events are listed one by one', () => {
  const process = kernelProcess();
  const root = createTracefs(process);
  const names = Array.from({ length: 20_000 }, (_, i) => `e${String(i).padStart(5, '0')}`);
  for (const name of names) process.events.register({ ...TICK, name });
  const directory = lookup(root, 'events/timer') as TraceDirectory;
  // As many lookups as names: each must not build all the others.
  const listed = [...directory.names()].filter((name) => directory.get(name) !== undefined);
  assert.deepEqual(listed, [...names, 'enable', 'filter'].sort());
  assert.equal(directory.subdirectories(), names.length);
});
