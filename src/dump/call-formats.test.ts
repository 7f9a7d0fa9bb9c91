import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ENTRY_RESUMED, EXIT_SUSPENDED } from '../events/ftrace-events.js';
import type { ProfileOrder } from '../output/trace-dat/calls/call-profile.js';
import { printProfile } from '../output/trace-dat/calls/summaries.js';
import { functionRecord, graphEntry, graphExit, PageBuilder, printRecord } from '../output/trace-dat/testing/page-builder.js';
import { temporaryFolder, writeRecording } from '../output/trace-dat/testing/recording.js';
import { dump as chrome } from './chrome-trace.js';
import { dump as flameGraph } from './flame-graph.js';
import { shownBy } from './selection.js';
import { dumpTo } from './testing/dump-to.js';

const MAIN = 0xffffffff81000000n;
const F = 0xffffffff81000100n;
const G = 0xffffffff81000200n;
const T = 1_000_000n;
const recorded = {
  version: '0',
  kallsyms: ['ffffffff81000000 t main\nffffffff81000100 t Class.f\t[express]\nffffffff81000200 t g\nffffffff81000300 t end\n'],
  cmdlines: [[7, 'node']] as const,
};

const record = (t: TestContext, ...cpus: readonly PageBuilder[]): string =>
  writeRecording(
    temporaryFolder(t),
    cpus.map((pages) => pages.bytes()),
    recorded,
  );

function textOf(print: (sink: { write(bytes: Uint8Array): boolean }) => unknown): string {
  const pieces: Buffer[] = [];
  print({ write: (bytes) => pieces.push(Buffer.from(bytes)) > 0 });
  return Buffer.concat(pieces).toString('utf8');
}

/** Some cells of the profile's rows: total, self, calls, function. */
const profile = (path: string, order: ProfileOrder = 'total'): string[][] =>
  textOf((sink) => printProfile(path, undefined, { order, style: { all: true } }, sink))
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((line) => line.trim().split(/ {2,}/))
    .map(([total, , self, , calls, , , , name]) => [total!, self!, calls!, name!]);

const flames = (path: string): string[] =>
  textOf((sink) => dumpTo(flameGraph, path, sink))
    .trimEnd()
    .split('\n')
    .sort();

const chromeEvents = (path: string): Record<string, unknown>[] =>
  JSON.parse(textOf((sink) => dumpTo(chrome, path, sink))).traceEvents;

/** main calls Class.f (2 us), then g (3 us, of which 1 us in Class.f); 10 us in all. */
const nested = (): PageBuilder =>
  new PageBuilder()
    .event(T, graphEntry(7, MAIN, 0))
    .event(T + 1000n, graphEntry(7, F, 1))
    .event(T + 3000n, graphExit(7, F, 1, T + 1000n, T + 3000n))
    .event(T + 4000n, graphEntry(7, G, 1))
    .event(T + 5000n, graphEntry(7, F, 2))
    .event(T + 6000n, graphExit(7, F, 2, T + 5000n, T + 6000n))
    .event(T + 7000n, graphExit(7, G, 1, T + 4000n, T + 7000n))
    .event(T + 10_000n, graphExit(7, MAIN, 0, T, T + 10_000n));

test('total time is from calls to returns, own time is without callees', (t) => {
  assert.deepEqual(profile(record(t, nested())), [
    ['10.000 us', '5.000 us', '1', 'main'],
    ['3.000 us', '3.000 us', '2', 'Class.f [express]'],
    ['3.000 us', '2.000 us', '1', 'g'],
  ]);
});

test('the table is sorted by the given order', (t) => {
  const path = record(t, nested());
  const names = (order: ProfileOrder) => profile(path, order).map((row) => row[3]);
  assert.deepEqual(names('calls'), ['Class.f [express]', 'main', 'g']);
  assert.deepEqual(names('self'), ['main', 'Class.f [express]', 'g']);
  assert.deepEqual(names('name'), ['Class.f [express]', 'g', 'main']);
});

test('a flame graph has the own time of each stack', (t) => {
  assert.deepEqual(flames(record(t, nested())), [
    'node;main 5000',
    'node;main;Class.f [express] 2000',
    'node;main;g 2000',
    'node;main;g;Class.f [express] 1000',
  ]);
});

test('recursion counts once in the total time', (t) => {
  const pages = new PageBuilder()
    .event(T, graphEntry(7, G, 0))
    .event(T + 1000n, graphEntry(7, G, 1))
    .event(T + 3000n, graphExit(7, G, 1, T + 1000n, T + 3000n))
    .event(T + 4000n, graphExit(7, G, 0, T, T + 4000n));
  assert.deepEqual(profile(record(t, pages)), [['4.000 us', '4.000 us', '2', 'g']]);
});

/** Class.f runs 1 us, waits 8 us, and runs 1 us more; main runs meanwhile. */
const suspended = (): PageBuilder =>
  new PageBuilder()
    .event(T, graphEntry(7, F, 0, 0, ['7']))
    .event(T + 1000n, graphExit(7, F, 0, T, T + 1000n, EXIT_SUSPENDED))
    .event(T + 2000n, graphEntry(7, MAIN, 0))
    .event(T + 5000n, graphExit(7, MAIN, 0, T + 2000n, T + 5000n))
    .event(T + 9000n, graphEntry(7, F, 0, ENTRY_RESUMED))
    .event(T + 10_000n, graphExit(7, F, 0, T, T + 10_000n, 0, '42'));

test('a coroutine is one call: its total time includes its waits, its self time does not', (t) => {
  const path = record(t, suspended());
  assert.deepEqual(profile(path), [
    ['10.000 us', '2.000 us', '1', 'Class.f [express]'],
    ['3.000 us', '3.000 us', '1', 'main'],
  ]);
  assert.deepEqual(flames(path), ['node;Class.f [express] 2000', 'node;main 3000']);
});

test('in JSON each part of a coroutine between waits is an event, with its recorded data', (t) => {
  const calls = chromeEvents(record(t, suspended())).filter(({ ph }) => ph === 'X');
  assert.deepEqual(
    calls.map(({ name, ts, dur, args }) => [name, ts, dur, args]),
    [
      ['Class.f [express]', 1000, 1, { args: '7', suspended: true }],
      ['main', 1002, 3, undefined],
      ['Class.f [express]', 1009, 1, { ret: '42', resumed: true }],
    ],
  );
});

test('in JSON a call is complete, a marker an instant, a call without an end says so, and the thread has its name', (t) => {
  const pages = new PageBuilder()
    .event(T, graphEntry(7, MAIN, 0))
    .event(T + 500n, printRecord(7, 0n, 'request "1"\n'))
    .event(T + 1001n, graphEntry(7, F, 1))
    .event(T + 3002n, graphExit(7, F, 1, T + 1001n, T + 3002n));
  assert.deepEqual(chromeEvents(record(t, pages)), [
    { ph: 'M', name: 'process_name', pid: 7, args: { name: 'node' } },
    { ph: 'M', name: 'thread_name', pid: 7, tid: 0, args: { name: 'node-7' } },
    { ph: 'i', name: 'request "1"', cat: 'trace_marker', pid: 7, tid: 0, ts: 1000.5, s: 't' },
    { ph: 'X', name: 'Class.f [express]', cat: 'express', pid: 7, tid: 0, ts: 1001.001, dur: 2.001 },
    { ph: 'X', name: 'main', cat: 'app', pid: 7, tid: 0, ts: 1000, dur: 3.002, args: { unfinished: true } },
  ]);
});

test('the profile says how long a call takes, and what part of the time it is', (t) => {
  const pages = new PageBuilder();
  for (let i = 1n; i <= 100n; i++) {
    const at = T + i * 1_000_000n;
    pages.event(at, graphEntry(7, G, 0)).event(at + i * 1000n, graphExit(7, G, 0, at, at + i * 1000n));
  }
  const last = T + 200_000_000n;
  pages.event(last, graphEntry(7, F, 0)).event(last + 5_050_000n, graphExit(7, F, 0, last, last + 5_050_000n));
  const path = record(t, pages);
  const table = (filter?: readonly string[], all = true) =>
    textOf((sink) => printProfile(path, undefined, { order: 'p99', ...(filter && { filter }), style: { all } }, sink));
  assert.equal(
    table(),
    `    Total time   Total     Self time    Self       Calls       Average           p50           p99  Function
  ============  ======  ============  ======  ==========  ============  ============  ============  ====================
      5.050 ms   50.0%      5.050 ms   50.0%           1      5.050 ms      5.050 ms      5.050 ms  Class.f [express]
      5.050 ms   50.0%      5.050 ms   50.0%         100     50.500 us     49.991 us     99.982 us  g
`,
  );
  assert.deepEqual(table(undefined, false).split('\n').slice(2), [
    '      5.050 ms   50.0%      5.050 ms   50.0%         100     50.500 us     49.991 us     99.982 us  g',
    '  express: 1 function, 50 % of the time; --all shows it',
    '',
  ]);
  const shown = (...filter: string[]) => {
    const rows = table(filter, false).trimEnd().split('\n').slice(2);
    return rows.map((row) => row.trim().split(/ {2,}/).at(-1));
  };
  assert.deepEqual(shown('*:mod:!*'), ['g']);
  assert.deepEqual(shown(':mod:express'), ['Class.f [express]']);
  assert.deepEqual(shown('g', 'Class.*'), ['Class.f [express]', 'g']);
  assert.match(table(['g']), / 50\.0% /);
});

test('where only exits were recorded a call has its callees inside, its time, and its place in the flame graph', (t) => {
  const pages = new PageBuilder()
    .event(T + 3000n, graphExit(7, F, 2, T + 1000n, T + 3000n))
    .event(T + 5000n, graphExit(7, F, 2, T + 4000n, T + 5000n))
    .event(T + 8000n, graphExit(7, G, 1, T + 500n, T + 8000n))
    .event(T + 10_000n, graphExit(7, MAIN, 0, T, T + 10_000n))
    .event(T + 15_000n, graphExit(7, G, 1, T + 12_000n, T + 15_000n));
  const path = record(t, pages);
  assert.deepEqual(profile(path), [
    ['10.500 us', '7.500 us', '2', 'g'],
    ['10.000 us', '2.500 us', '1', 'main'],
    ['3.000 us', '3.000 us', '2', 'Class.f [express]'],
  ]);
  assert.deepEqual(flames(path), ['node;g 3000', 'node;main 2500', 'node;main;g 4500', 'node;main;g;Class.f [express] 3000']);
  const calls = chromeEvents(path).filter(({ ph }) => ph === 'X');
  assert.deepEqual(
    calls.map(({ name, ts, dur }) => [name, ts, dur]),
    [
      ['Class.f [express]', 1001, 2],
      ['Class.f [express]', 1004, 1],
      ['g', 1000.5, 7.5],
      ['main', 1000, 10],
      ['g', 1012, 3],
    ],
  );
});

test('lost events are reported once, in every form', (t) => {
  const pages = new PageBuilder()
    .event(T, graphEntry(7, MAIN, 0))
    .missed(9)
    .event(T + 5000n, graphExit(7, MAIN, 0, T, T + 5000n))
    .missed('unknown')
    .event(T + 6000n, graphEntry(7, G, 0));
  const path = record(t, pages);
  const warning = 'more than 9 events were lost: calls that ended among them are left out, and times around them are guesses';
  const sink = { write: () => true };
  assert.deepEqual(printProfile(path, undefined, { order: 'total' }, sink), [
    warning,
    '1 call was still open where the recording ends, and not counted: g',
  ]);
  assert.deepEqual(dumpTo(flameGraph, path, sink), [warning]);
  assert.deepEqual(dumpTo(chrome, path, sink), [warning]);
  assert.deepEqual(
    chromeEvents(path).flatMap(({ ph, name }) => (ph === 'i' ? [name] : [])),
    ['9 events lost', 'events lost'],
  );
});

test('threads do not nest into each other', (t) => {
  const other = new PageBuilder().event(T + 500n, graphEntry(8, G, 0)).event(T + 9000n, graphExit(8, G, 0, T + 500n, T + 9000n));
  assert.deepEqual(flames(record(t, nested(), other)), [
    '<...>;g 8500',
    'node;main 5000',
    'node;main;Class.f [express] 2000',
    'node;main;g 2000',
    'node;main;g;Class.f [express] 1000',
  ]);
});

test('an exit whose entry was lost counts from where the recording knows all', (t) => {
  const pages = new PageBuilder()
    .event(T + 6000n, graphEntry(7, F, 1))
    .event(T + 7000n, graphExit(7, F, 1, T + 6000n, T + 7000n))
    .event(T + 8000n, graphExit(7, MAIN, 0, T, T + 8000n));
  const path = record(t, pages);
  assert.deepEqual(profile(path), [
    ['8.000 us', '1.000 us', '1', 'main'],
    ['1.000 us', '1.000 us', '1', 'Class.f [express]'],
  ]);
  const [, main] = chromeEvents(path).filter(({ ph }) => ph === 'X');
  assert.deepEqual([main!['ts'], main!['dur']], [1006, 2]);
});

test('after lost events nothing is inside of what was open before', (t) => {
  const pages = new PageBuilder()
    .event(T, graphEntry(7, MAIN, 0))
    .missed(9)
    .event(T + 5000n, graphEntry(7, G, 1))
    .event(T + 6000n, graphExit(7, G, 1, T + 5000n, T + 6000n));
  assert.deepEqual(flames(record(t, pages)), ['node;g 1000']);
});

test('the profile mentions calls that are open where the recording ends, if they are shown', (t) => {
  const pages = new PageBuilder().event(T, graphEntry(7, MAIN, 0));
  for (let i = 1n; i < 4n; i++) pages.event(T + i, graphEntry(7, G, Number(i)));
  const path = record(t, pages);
  const warnings = (filter?: string[]): readonly string[] =>
    printProfile(path, undefined, { order: 'total', ...(filter && { filter }) }, { write: () => true });
  assert.deepEqual(warnings(), ['4 calls were still open where the recording ends, and not counted: g, main']);
  assert.deepEqual(warnings(['main']), ['1 call was still open where the recording ends, and not counted: main']);
  assert.deepEqual(warnings(['f']), []);
});

test('a filter leaves calls out, and what they do is time of the frame that called them', (t) => {
  const path = record(t, nested());
  const stacks = (...filter: string[]): string[] =>
    textOf((sink) => dumpTo(flameGraph, path, sink, { isShown: shownBy(filter, false)! }))
      .trimEnd()
      .split('\n')
      .sort();
  assert.deepEqual(stacks('*:mod:!*'), ['node;main 7000', 'node;main;g 3000']);
  assert.deepEqual(stacks(':mod:express'), ['node;Class.f [express] 3000']);
  const json = textOf((sink) => dumpTo(chrome, path, sink, { isShown: shownBy(['g', 'main'], false)! }));
  const calls = JSON.parse(json).traceEvents.filter(({ ph }: Record<string, unknown>) => ph === 'X');
  assert.deepEqual(
    calls.map(({ name }: Record<string, unknown>) => name),
    ['g', 'main'],
  );
});

test('function events have calls and no times', (t) => {
  const pages = new PageBuilder().event(T, functionRecord(7, F, MAIN)).event(T + 1n, functionRecord(7, F, MAIN));
  const path = record(t, pages);
  assert.deepEqual(profile(path), [['-', '-', '2', 'Class.f [express]']]);
  const warnings = dumpTo(flameGraph, path, { write: () => assert.fail('there is nothing to write') });
  assert.deepEqual(warnings, ['there is no call with a time: record with -p function_graph']);
});

test('a reader that has enough ends the walk', (t) => {
  const pages = new PageBuilder();
  for (let i = 0n; i < 20_000n; i++) {
    pages.event(T + 2n * i, graphEntry(7, G, 0)).event(T + 2n * i + 1n, graphExit(7, G, 0, T + 2n * i, T + 2n * i + 1n));
  }
  let writes = 0;
  dumpTo(chrome, record(t, pages), { write: () => ++writes < 2 });
  assert.equal(writes, 2);
});

/** Two functions `g` in two files, one of them called twice, and a package's. */
const placed = (t: TestContext): string => {
  const other = 0xffffffff81000300n;
  const pages = nested()
    .event(T + 20_000n, graphEntry(7, other, 0))
    .event(T + 21_000n, graphExit(7, other, 0, T + 20_000n, T + 21_000n));
  return writeRecording(temporaryFolder(t), [pages.bytes()], {
    ...recorded,
    kallsyms: [recorded.kallsyms[0]!.replace(' t end', ' t g')],
    places: [
      'folder /srv/shop\nffffffff81000000 /srv/shop/main.ts:3:1\nffffffff81000200 :9:7\n',
      'ffffffff81000100 /srv/shop/node_modules/express/lib/f.js:5:2\nffffffff81000300 /srv/lib/g;.ts:1:1\n',
    ],
  });
};

test('functions have their places: two of one name are two', (t) => {
  const path = placed(t);
  const table = textOf((sink) => printProfile(path, undefined, { order: 'total', style: { all: true } }, sink));
  assert.deepEqual(
    table
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((line) => line.slice(100)),
    [
      'main               main.ts:3',
      'Class.f [express]  node_modules/express/lib/f.js:5',
      'g                  main.ts:9',
      'g                  /srv/lib/g;.ts:1',
    ],
  );
  assert.deepEqual(flames(path), [
    'node;g (/srv/lib/g,.ts:1) 1000',
    'node;main (main.ts:3) 5000',
    'node;main (main.ts:3);Class.f [express] (node_modules/express/lib/f.js:5) 2000',
    'node;main (main.ts:3);g (main.ts:9) 2000',
    'node;main (main.ts:3);g (main.ts:9);Class.f [express] (node_modules/express/lib/f.js:5) 1000',
  ]);
  assert.deepEqual(
    chromeEvents(path)
      .flatMap(({ ph, name, args }) => (ph === 'X' ? [[name, args]] : []))
      .slice(-2),
    [
      ['main', { place: 'main.ts:3' }],
      ['g', { place: '/srv/lib/g;.ts:1' }],
    ],
  );
});

test('the table as data has the same', (t) => {
  const answer = JSON.parse(textOf((sink) => printProfile(placed(t), undefined, { order: 'total', json: true }, sink)));
  const { functions, ...head } = answer;
  assert.deepEqual(head, { answer: 'profile', version: 1, application: '/srv/shop', time: 11_000 });
  assert.deepEqual(functions[1], {
    name: 'Class.f',
    place: { file: '/srv/shop/node_modules/express/lib/f.js', line: 5, column: 2 },
    package: 'express',
    isOwn: false,
    calls: 2,
    total: 3000,
    running: 3000,
    self: 3000,
    average: 1500,
    p50: functions[1].p50,
    p99: 2000,
  });
  assert.deepEqual(
    functions.map(({ name, isOwn }: { name: string; isOwn: boolean }) => `${name} ${isOwn}`),
    ['main true', 'Class.f false', 'g true', 'g true'],
  );
});
