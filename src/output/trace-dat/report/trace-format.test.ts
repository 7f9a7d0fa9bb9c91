import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionRecord, graphEntry, graphExit, PageBuilder } from '../testing/page-builder.js';
import { temporaryFolder, writeRecording } from '../testing/recording.js';
import { reportAsTrace, type TraceFormatOptions } from './trace-format.js';

const MAIN = 0xffffffff81000000n;
const F = 0xffffffff81000100n;
const T = 12_345_000_000_000n;
const recorded = {
  kallsyms: ['ffffffff81000000 t main\nffffffff81000100 t Class.f\t[express]\n'],
  cmdlines: [[4711, 'node']] as const,
};

function text(path: string, options: TraceFormatOptions = {}): string {
  const chunks: Buffer[] = [];
  reportAsTrace(path, options, { write: (bytes) => chunks.push(Buffer.from(bytes)) > 0 });
  return Buffer.concat(chunks).toString('utf8');
}

test('functions as the file trace prints them', (t) => {
  const pages = new PageBuilder()
    .event(T, functionRecord(4711, F, MAIN))
    .missed(3)
    .event(T + 1000n, functionRecord(4711, MAIN, F));
  const lines = text(writeRecording(temporaryFolder(t), [pages.bytes()], recorded)).split('\n');
  assert.equal(lines[0], '# tracer: function');
  assert.equal(lines[2], '# entries-in-buffer/entries-written: 2/5   #P:1');
  assert.match(lines.at(-4)!, /^ {12}node-4711 {4}\[000\] ..... 12345\.000000: Class\.f <-main$/);
  assert.equal(lines.at(-3), 'CPU:0 [LOST 3 EVENTS]');
});

test('a graph as the file trace prints it, with the options that are asked for', (t) => {
  const pages = new PageBuilder()
    .event(T, graphEntry(4711, MAIN, 0))
    .event(T + 100n, graphEntry(4711, F, 1, 0, ['1']))
    .event(T + 1100n, graphExit(4711, F, 1, T + 100n, T + 1100n, 0, '42'))
    .event(T + 2000n, graphExit(4711, MAIN, 0, T, T + 2000n));
  const path = writeRecording(temporaryFolder(t), [pages.bytes()], recorded);
  assert.equal(
    text(path, { options: { 'funcgraph-retval': true, 'funcgraph-tail': true } }),
    `# tracer: function_graph
#
# CPU  DURATION                  FUNCTION CALLS
# |     |   |                     |   |   |   |
 0)               |  main() {
 0)   1.000 us    |    Class.f [express](1); /* ret=42 */
 0)   2.000 us    |  } /* main */
`,
  );
});
