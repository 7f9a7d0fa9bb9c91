import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../src/base/testing/random.js';
import type { TraceEvent } from '../../src/events/define.js';
import { FTRACE_EVENTS } from '../../src/events/ftrace-events.js';
import { recordOf } from '../../src/events/record-of.js';
import { EventRegistry } from '../../src/events/registry.js';
import { randomValues } from '../../src/events/testing/random-values.js';
import { SAMPLE_EVENTS } from '../../src/events/testing/sample-events.js';
import { PageBuilder } from '../../src/output/trace-dat/testing/page-builder.js';
import { temporaryFolder, writeRecording } from '../../src/output/trace-dat/testing/recording.js';
import { reportText } from '../../src/output/trace-dat/testing/report-text.js';
import { noTraceCmd, traceCmd } from './trace-cmd.js';

const TEXT = 0xffffffff81000000n;
const KALLSYMS = Array.from({ length: 4 }, (_, i) => `${(TEXT + BigInt(i) * 0x100n).toString(16)} t function${i}\t[app]\n`);

/** Random values, with addresses that are in the text or somewhere. */
function valuesOf(event: TraceEvent, random: (below: number) => number) {
  const values: Record<string, unknown> = { ...randomValues(event, random) };
  for (const [name, { type, isAddress }] of Object.entries(event.specs)) {
    if (isAddress) values[name] = TEXT + BigInt(random(0x400));
    // trace-cmd takes what is shorter than an int for unsigned.
    if (type === 'short' || type === 's8') values[name] = random(128);
  }
  return values as ReturnType<typeof randomValues<TraceEvent>>;
}

test('trace-cmd prints events of every kind as fentry report does', { skip: noTraceCmd }, (t) => {
  const events = new EventRegistry();
  const random = seededRandom(3);
  const pages = new PageBuilder();
  const { context_switch, wakeup, hwlat } = FTRACE_EVENTS;
  let time = 1_000_000_000n;
  for (const event of [...SAMPLE_EVENTS.map((sample) => events.register(sample)), context_switch, wakeup, hwlat]) {
    for (let i = 0; i < 50; i++) {
      time += 1000n;
      pages.event(time, recordOf<TraceEvent>(event, { pid: 4711 }, valuesOf(event, random)));
    }
  }
  const path = writeRecording(temporaryFolder(t), [pages.bytes()], { kallsyms: KALLSYMS, cmdlines: [[4711, 'node']], events });
  const { status, stdout, stderr } = traceCmd('report', '-N', '-i', path);
  assert.deepEqual([status, stderr], [0, '']);
  const lines = (text: string): string[] => text.split('\n').map((line) => line.trimEnd());
  assert.deepEqual(lines(reportText(path).text), lines(stdout));
});
