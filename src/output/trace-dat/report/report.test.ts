import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENTRY_RESUMED, EXIT_SUSPENDED, EXIT_UNWOUND } from '../../../events/ftrace-events.js';
import { functionRecord, graphEntry, graphExit, PageBuilder, printRecord } from '../testing/page-builder.js';
import { temporaryFolder, writeRecording } from '../testing/recording.js';
import { reportText } from '../testing/report-text.js';
import type { ReportOptions } from './report-options.js';

const MAIN = 0xffffffff81000000n;
const F = 0xffffffff81000100n;
const G = 0xffffffff81000200n;
const KALLSYMS = [
  'ffffffff81000000 t main\nffffffff81000100 t Class.f\t[express]\nffffffff81000200 t g\nffffffff81000300 t end\n',
];
const T = 12_345_000_000_000n;

const recorded = {
  kallsyms: KALLSYMS,
  cmdlines: [
    [4711, 'node'],
    [4712, 'worker 1'],
  ] as const,
};

test('functions stand below their callers, CPUs in the order of time', (t) => {
  const main = new PageBuilder().event(T, functionRecord(4711, F, MAIN)).event(T + 2000n, functionRecord(4711, G, F));
  const worker = new PageBuilder().event(T + 1000n, functionRecord(4712, G, 0n));
  const path = writeRecording(temporaryFolder(t), [main.bytes(), worker.bytes()], recorded);
  assert.equal(
    reportText(path).text,
    `cpus=2
            node-4711  [000] 12345.000000: function:             Class.f
        worker 1-4712  [001] 12345.000001: function:             g
            node-4711  [000] 12345.000002: function:                g
`,
  );
});

test('a call and its return that follow each other are one line', (t) => {
  const pages = new PageBuilder()
    .event(T, graphEntry(4711, MAIN, 0))
    .event(T + 100n, graphEntry(4711, F, 1))
    .event(T + 12_445n, graphExit(4711, F, 1, T + 100n, T + 12_445n))
    .event(T + 1_500_000n, graphExit(4711, MAIN, 0, T, T + 1_500_000n));
  const path = writeRecording(temporaryFolder(t), [pages.bytes()], recorded);
  assert.equal(
    reportText(path, { tailprint: true }).text,
    `cpus=1
            node-4711  [000] 12345.000000: funcgraph_entry:                   |  main() {
            node-4711  [000] 12345.000000: funcgraph_entry:      + 12.345 us  |    Class.f();
            node-4711  [000] 12345.001500: funcgraph_exit:       # 1500.000 us |  } /* main */
`,
  );
});

test('what fentry records beyond the kernel is where the kernel puts its comments', (t) => {
  const pages = new PageBuilder()
    .event(T, functionRecord(4711, F, MAIN, ['1', '"é"']))
    .event(T + 1000n, graphEntry(4711, F, 0, 0, ['{id: 7}']))
    .event(T + 2000n, graphEntry(4711, G, 1, ENTRY_RESUMED))
    .event(T + 3000n, graphExit(4711, G, 1, T + 2000n, T + 3000n, 0, '42'))
    .event(T + 4000n, graphExit(4711, F, 0, T + 1000n, T + 4000n, EXIT_SUSPENDED))
    .event(T + 5000n, graphEntry(4711, F, 0, ENTRY_RESUMED))
    .event(T + 6000n, graphEntry(4711, G, 1))
    .event(T + 7000n, graphExit(4711, G, 1, T + 6000n, T + 7000n, EXIT_UNWOUND))
    .event(T + 8000n, graphExit(4711, F, 0, T + 5000n, T + 8000n, 0, '"done"'));
  const path = writeRecording(temporaryFolder(t), [pages.bytes()], recorded);
  const lines = reportText(path)
    .text.split('\n')
    .map((line) => line.slice(65));
  assert.deepEqual(lines.slice(1, -1), [
    'Class.f(1, "é")',
    '             |  Class.f({id: 7}) {',
    '  1.000 us   |    g(); /* resumed ret=42 */',
    '  3.000 us   |  } /* Class.f suspended */',
    '             |  Class.f() { /* resumed */',
    '  1.000 us   |    g(); /* unwound */',
    '  3.000 us   |  } /* Class.f ret="done" */',
  ]);
  const plain = reportText(path, { extras: false }).text;
  assert.match(plain, /Class\.f\n/);
  assert.doesNotMatch(plain, /resumed|ret=|id: 7/);
});

test('lost events are reported where they were lost, with their number if it is known', (t) => {
  const pages = new PageBuilder()
    .event(T, functionRecord(4711, F, 0n))
    .missed(7)
    .event(T + 1000n, functionRecord(4711, F, 0n))
    .missed('unknown')
    .event(T + 2000n, functionRecord(4711, F, 0n));
  const path = writeRecording(temporaryFolder(t), [pages.bytes()], recorded);
  const lines = reportText(path).text.split('\n');
  assert.equal(lines[2], 'CPU:0 [7 EVENTS DROPPED]');
  assert.equal(lines[4], 'CPU:0 [EVENTS DROPPED]');
});

test('times go on over extends, stamps, discarded events and 104 days of uptime', (t) => {
  const late = 10_000_000n * 1_000_000_000n + 999_999_501n;
  const pages = new PageBuilder()
    .event(late, functionRecord(4711, F, 0n))
    .event(late + 3_600_000_000_000n, functionRecord(4711, F, 0n))
    .discarded(12)
    .timeStamp(late + 7_200_000_000_000n)
    .event(late + 7_200_000_000_001n, functionRecord(4711, F, 0n));
  const path = writeRecording(temporaryFolder(t), [pages.bytes()], recorded);
  const times = (nanoseconds: boolean): string[] =>
    Array.from(reportText(path, { nanoseconds }).text.matchAll(/\] (\d+\.\d+):/g), (m) => m[1]!);
  assert.deepEqual(times(false), ['10000001.000000', '10003601.000000', '10007201.000000']);
  assert.deepEqual(times(true), ['10000000.999999501', '10003600.999999501', '10007200.999999502']);
});

test('markers, unknown tasks, unknown functions and unknown events are shown as such', (t) => {
  const unknown = functionRecord(99, F, 0n);
  unknown.writeUInt16LE(999, 0);
  const pages = new PageBuilder()
    .event(T, printRecord(4711, MAIN, 'hello\n'))
    .event(T + 1000n, functionRecord(99, 0xffffffff90000000n, 0n))
    .event(T + 2000n, functionRecord(0, F, 0n))
    .event(T + 3000n, unknown);
  const path = writeRecording(temporaryFolder(t), [pages.bytes()], recorded);
  assert.deepEqual(reportText(path).text.split('\n').slice(1), [
    '            node-4711  [000] 12345.000000: print:                main: hello',
    '           <...>-99    [000] 12345.000001: function:             0xffffffff90000000',
    '          <idle>-0     [000] 12345.000002: function:             Class.f',
    '           <...>-99    [000] 12345.000003: (NULL):               [UNKNOWN EVENT 999]',
    '',
  ]);
});

test('--cpu leaves the others out', (t) => {
  const one = new PageBuilder().event(T, functionRecord(4711, F, 0n)).bytes();
  const path = writeRecording(temporaryFolder(t), [one, one], recorded);
  assert.deepEqual(reportText(path, { cpus: new Set([1]) }).text.match(/\[\d+\]/g), ['[001]']);
});

test('a sink that wants no more ends the report', (t) => {
  const pages = new PageBuilder();
  for (let i = 0; i < 50_000; i++) pages.event(T + BigInt(i), functionRecord(4711, F, 0n));
  const path = writeRecording(temporaryFolder(t), [pages.bytes()], recorded);
  let writes = 0;
  const { events } = reportText(path, {}, () => ++writes < 2).result;
  assert.ok(events > 0 && events < 50_000);
});

test('an exit behind lost events is not that of the entry before them', (t) => {
  const pages = new PageBuilder()
    .event(T, graphEntry(4711, F, 0, 0, ['1']))
    .missed(9)
    .event(T + 9000n, graphExit(4711, F, 0, T + 8000n, T + 9000n, 0, '2'));
  const path = writeRecording(temporaryFolder(t), [pages.bytes()], recorded);
  assert.equal(
    reportText(path).text,
    `cpus=1
            node-4711  [000] 12345.000000: funcgraph_entry:                   |  Class.f(1) {
CPU:0 [9 EVENTS DROPPED]
            node-4711  [000] 12345.000009: funcgraph_exit:         1.000 us   |  } /* Class.f ret=2 */
`,
  );
});

test('events lost before an empty sub-buffer are reported before the next event', (t) => {
  const pages = new PageBuilder()
    .event(T, functionRecord(4711, F, 0n))
    .missed(2)
    .endPage()
    .missed(3)
    .event(T + 1000n, functionRecord(4711, F, 0n));
  const path = writeRecording(temporaryFolder(t), [pages.bytes()], recorded);
  assert.match(reportText(path).text, /^CPU:0 \[5 EVENTS DROPPED\]$/m);
});

test('where there are no beginnings each end has its name, unless the output is to be that of trace-cmd', (t) => {
  const ends = (): PageBuilder =>
    new PageBuilder()
      .event(T, functionRecord(4711, G, F))
      .event(T + 1n, graphExit(4711, F, 1, T - 20_000n, T, 0))
      .event(T + 138_000_000n, graphExit(4711, MAIN, 0, T, T + 138_000_000n, 0, '42'));
  const braces = (pages: PageBuilder, options?: ReportOptions): string[] => {
    const path = writeRecording(temporaryFolder(t), [pages.bytes()], { ...recorded, version: '0.1.0' });
    const lines = reportText(path, options).text.split('\n');
    return lines.filter((line) => line.includes('}')).map((line) => line.slice(line.indexOf('|')));
  };
  assert.deepEqual(braces(ends()), ['|    } /* Class.f */', '|  } /* main ret=42 */']);
  assert.deepEqual(braces(ends(), { extras: false }), ['|    }', '|  }']);
  const withBeginning = ends().event(T + 138_000_001n, graphEntry(4711, F, 0, 0));
  assert.deepEqual(braces(withBeginning), ['|    }', '|  } /* main ret=42 */'], 'as trace-cmd in all other recordings');
});
