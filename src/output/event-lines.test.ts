import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent } from '../events/define.js';
import { array, dynamic, one } from '../events/fields.js';
import { recordOf } from '../events/record-of.js';
import { EventRegistry } from '../events/registry.js';
import { ConsumedRecords } from './record-cursor.js';
import { RecordMerge } from './record-merge.js';
import { printed, Recording, viewOf } from './testing/recording.js';
import { reportAsTrace } from './trace-dat/index.js';
import { PageBuilder } from './trace-dat/testing/page-builder.js';
import { temporaryFolder, writeRecording } from './trace-dat/testing/recording.js';
import { reportText } from './trace-dat/testing/report-text.js';
import { TracePrinter } from './trace-printer.js';
import { TraceSeq } from './trace-seq.js';

const events = new EventRegistry();
const request = events.register(
  defineEvent('http', 'request', {
    fields: {
      url: dynamic('char'),
      method: array('char', 8),
      state: one('u32'),
      flags: one('unsigned long'),
      digest: array('u8', 4),
      codes: dynamic('u16'),
    },
    print: [
      '"%s %-4s %s [%s] %s %s"',
      '__get_str(url)',
      'REC->method',
      '__print_symbolic(REC->state, { 0, "idle" }, { 1, "busy" })',
      '__print_flags(REC->flags, "|", { 1, "KEEP_ALIVE" }, { 2, "CHUNKED" })',
      '__print_hex_str(REC->digest, 4)',
      '__print_array(__get_dynamic_array(codes), __get_dynamic_array_len(codes) / 2, 2)',
    ].join(', '),
  }),
);
const TIME = 1_000_000_000;
const record = recordOf(
  request,
  { pid: 4711 },
  { url: '/menü?q=1', method: 'GET', state: 1, flags: 0x13, digest: [1, 2, 0xfe, 0xff], codes: [200, 10] },
);
const TEXT = '/menü?q=1 GET  busy [KEEP_ALIVE|CHUNKED|0x10] 0102feff';
/** __print_array is the one helper that trace-cmd prints differently. */
const IN_TRACE = `            node-4711    [000] .....     1.000000: request: ${TEXT} {0xc8,0xa}`;
const IN_REPORT = `            node-4711  [000]     1.000000: request:              ${TEXT} 200 10`;

const view = { ...viewOf('nop'), events };
const inMemory = (): Recording => new Recording().record(TIME, request.id, [...new Uint32Array(record.buffer, 8)], []);

test('trace and trace_pipe print an event as its print format says', () => {
  assert.deepEqual(printed(view, inMemory()), [IN_TRACE]);
  const merge = new RecordMerge([new ConsumedRecords(0, inMemory().reader)]);
  const seq = new TraceSeq();
  const printer = new TracePrinter(view, { annotate: false });
  while (merge.take()) printer.print(seq, merge);
  assert.equal(seq.toString(), `${IN_TRACE}\n`);
});

test('a recording prints the same text, as trace-cmd does and as trace', (t) => {
  const pages = new PageBuilder().event(TIME, record).bytes();
  const path = writeRecording(temporaryFolder(t), [pages], { events, cmdlines: [[4711, 'node']] });
  assert.equal(reportText(path).text, `cpus=1\n${IN_REPORT}\n`);
  const chunks: Uint8Array[] = [];
  reportAsTrace(path, {}, { write: (bytes) => chunks.push(Uint8Array.from(bytes)) > 0 });
  assert.equal(Buffer.concat(chunks).toString().split('\n').at(-2), IN_TRACE);
});

test('an event of another group does not print like the one of group ftrace with its name', () => {
  const others = new EventRegistry();
  const print = others.register(defineEvent('app', 'print', { fields: { n: one('int') }, print: '"n=%d", REC->n' }));
  const words = new Uint32Array(recordOf(print, { pid: 4711 }, { n: -3 }).buffer, 8);
  const recording = new Recording().record(TIME, print.id, [...words], []);
  assert.deepEqual(printed({ ...view, events: others }, recording), [
    '            node-4711    [000] .....     1.000000: print: n=-3',
  ]);
});
