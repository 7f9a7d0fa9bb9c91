import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent } from '../events/define.js';
import { address, array, dynamic, one } from '../events/fields.js';
import { recordOf } from '../events/record-of.js';
import { EventRegistry } from '../events/registry.js';
import { ConsumedRecords } from './record-cursor.js';
import { RecordMerge } from './record-merge.js';
import { printed, Recording, viewOf } from './testing/recording.js';
import { TracePrinter } from './trace-printer.js';
import { TraceSeq } from './trace-seq.js';

test('a function line tells who, where, when and from where', () => {
  const recording = new Recording().call(12_345_678_900, 'parse', 'main').call(12_345_679_900, 'render', 'handle');
  assert.deepEqual(printed(viewOf('function'), recording), [
    '            node-4711    [000] .....    12.345679: parse <-main',
    '            node-4711    [000] .....    12.345680: render <-handle',
  ]);
});

test('arguments have the names of their parameters', () => {
  const recording = new Recording().call(1e9, 'parse', 'main', ['"é"', '3']).call(2e9, 'main', 'handle', []);
  assert.deepEqual(printed(viewOf('function'), recording), [
    '            node-4711    [000] .....     1.000000: parse(text="é", limit=3) <-main',
    '            node-4711    [000] .....     2.000000: main() <-handle',
  ]);
});

test('threads are merged by time, the lower one first when times are equal', () => {
  const first = new Recording(0).call(1000, 'main', 'main').call(3000, 'parse', 'main');
  const second = new Recording(1, 99).call(1000, 'handle', 'main').call(2000, 'render', 'main');
  const names = printed(viewOf('function'), first, second).map((line) => line.replace(/^.*: | <-.*$/g, ''));
  assert.deepEqual(names, ['main', 'handle', 'render', 'parse']);
});

test('a pipe takes records out as it prints them, and tells how many were lost', () => {
  const recording = new Recording(0, 4711, 1);
  for (let i = 0; i < 1000; i++) recording.call(1000 * i, 'parse', 'main');
  const merge = new RecordMerge([new ConsumedRecords(0, recording.reader)]);
  const printer = new TracePrinter(viewOf('function'), { annotate: false });
  const seq = new TraceSeq();
  const inside = recording.reader.stats(0).entries;
  assert.ok(merge.take());
  printer.print(seq, merge);
  assert.equal(recording.reader.stats(0).entries, inside - 1);
  let lines = 1;
  for (; merge.take(); lines++) printer.print(seq, merge);
  assert.equal(recording.reader.stats(0).entries, 0);
  assert.match(seq.toString(), new RegExp(`^CPU:0 \\[LOST ${1000 - lines} EVENTS\\]\n`));
});

test('a snapshot consumes nothing', () => {
  const recording = new Recording().call(1000, 'parse', 'main');
  assert.deepEqual(printed(viewOf('function'), recording), printed(viewOf('function'), recording));
});

test('an event that came at run time prints as its print format says, until it goes', () => {
  const events = new EventRegistry();
  const fields = { id: one('u32'), route: dynamic('char'), codes: array('u16', 2), handler: address };
  const print =
    '"id=%u route=%s codes=%s handler=%ps", REC->id, __get_str(route), __print_array(REC->codes, 2, 2), (void *)REC->handler';
  const request = events.register(defineEvent('http', 'request', { fields, print }));
  const handler = -0x7effffc0;
  const bytes = recordOf(request, { pid: 4711 }, { id: 7, route: '/items', codes: [200, 10], handler });
  const recording = new Recording().record(1e9, request.id, [...new Uint32Array(bytes.buffer, 8)], []);
  const view = { ...viewOf('nop'), events };
  assert.deepEqual(printed(view, recording), [
    '            node-4711    [000] .....     1.000000: request: id=7 route=/items codes={0xc8,0xa} handler=handle',
  ]);
  assert.deepEqual(printed({ ...viewOf('function_graph'), events }, recording), [
    ' 0)               |  /* request: id=7 route=/items codes={0xc8,0xa} handler=handle */',
  ]);
  events.unregister(request);
  assert.deepEqual(printed(view, recording), ['            node-4711    [000] .....     1.000000: Unknown type 20']);
});
