import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { graphEntry, graphExit, PageBuilder, printRecord } from '../output/trace-dat/testing/page-builder.js';
import { temporaryFolder, writeRecording } from '../output/trace-dat/testing/recording.js';
import type { Dump } from './dumped-recording.js';
import { dump as flameGraph } from './flame-graph.js';
import { MomentError, momentsOf } from './moments.js';
import { type Selection, shownBy, tracksOf } from './selection.js';
import { dump as speedscope } from './speedscope.js';
import { dumpTo } from './testing/dump-to.js';

const MAIN = 0xffffffff81000000n;
const F = 0xffffffff81000100n;
const G = 0xffffffff81000200n;
const T = 1_000_000n;
const recorded = {
  version: '0',
  kallsyms: ['ffffffff81000000 t main\nffffffff81000100 t f\t[express]\nffffffff81000200 t g\nffffffff81000300 t end\n'],
  cmdlines: [[7, 'node']] as const,
};

/** main (0 to 10 us) calls f (1 to 3 us), then g (4 to 7 us), which calls f (5 to 6 us); marks at 0.5 and 6.5 us. */
const nested = (): PageBuilder =>
  new PageBuilder()
    .event(T, graphEntry(7, MAIN, 0))
    .event(T + 500n, printRecord(7, MAIN, 'begin of it'))
    .event(T + 1000n, graphEntry(7, F, 1))
    .event(T + 3000n, graphExit(7, F, 1, T + 1000n, T + 3000n))
    .event(T + 4000n, graphEntry(7, G, 1))
    .event(T + 5000n, graphEntry(7, F, 2))
    .event(T + 6000n, graphExit(7, F, 2, T + 5000n, T + 6000n))
    .event(T + 6500n, printRecord(7, MAIN, 'end of it'))
    .event(T + 7000n, graphExit(7, G, 1, T + 4000n, T + 7000n))
    .event(T + 10_000n, graphExit(7, MAIN, 0, T, T + 10_000n));

const record = (t: TestContext, ...cpus: readonly PageBuilder[]): string =>
  writeRecording(
    temporaryFolder(t),
    cpus.map((pages) => pages.bytes()),
    recorded,
  );

function textOf(dump: Dump, path: string, selection: Selection): string {
  const pieces: Buffer[] = [];
  dumpTo(dump, path, { write: (bytes) => pieces.push(Buffer.from(bytes)) > 0 }, selection);
  return Buffer.concat(pieces).toString('utf8');
}

const flames = (path: string, selection: Selection): string[] => textOf(flameGraph, path, selection).trimEnd().split('\n').sort();

/** Microseconds since the beginning. */
const at = (us: number): number => Number(T) + us * 1000;

test('calls are cut where the range begins and ends, and their times are those within', (t) => {
  const path = record(t, nested());
  assert.deepEqual(flames(path, { from: at(2), to: at(5.5) }), [
    'node;main 1000',
    'node;main;f [express] 1000',
    'node;main;g 1000',
    'node;main;g;f [express] 500',
  ]);
  assert.deepEqual(flames(path, { from: at(8) }), ['node;main 2000']);
  assert.deepEqual(flames(path, { to: at(1) }), ['node;main 1000']);
});

test('the parts of a recording add up to the whole, wherever it is cut', (t) => {
  const path = record(t, nested());
  const sums = (selection: Selection): Map<string, number> =>
    new Map(
      flames(path, selection).flatMap((line) =>
        line === '' ? [] : [[line.replace(/ \d+$/, ''), Number(/\d+$/.exec(line)![0])]],
      ),
    );
  const whole = sums({});
  for (let us = 0.25; us < 10; us += 0.25) {
    const [before, after] = [sums({ to: at(us) }), sums({ from: at(us) })];
    const added = new Map([...whole.keys()].map((stack) => [stack, (before.get(stack) ?? 0) + (after.get(stack) ?? 0)]));
    assert.deepEqual(added, whole, `cut at ${us} us`);
  }
});

test('a viewer opens what is open where the range begins, callers first', (t) => {
  const { profiles, shared } = JSON.parse(textOf(speedscope, record(t, nested()), { from: at(5.5), to: at(6.75) }));
  const events = profiles[0].events.map((event: { type: string; frame: number; at: number }) => [
    event.type,
    shared.frames[event.frame].name,
    event.at - Number(T),
  ]);
  assert.deepEqual(events, [
    ['O', 'main', 5500],
    ['O', 'g', 5500],
    ['O', 'f [express]', 5500],
    ['C', 'f [express]', 6000],
    ['C', 'g', 6750],
    ['C', 'main', 6750],
  ]);
});

test('functions and ranges are selected together', (t) => {
  const path = record(t, nested());
  assert.deepEqual(flames(path, { from: at(2), to: at(5.5), isShown: shownBy(['main', 'f'], false)! }), [
    'node;main 2000',
    'node;main;f [express] 1500',
  ]);
});

test('a process and a thread are selected by id or name, and a warning names those that are there', (t) => {
  const path = record(t, nested());
  const process = (word: string): Selection => ({ isTrack: tracksOf(word, undefined)! });
  assert.equal(flames(path, process('7')).length, 4);
  assert.equal(flames(path, process('node')).length, 4);
  assert.deepEqual(dumpTo(flameGraph, path, { write: () => true }, process('other')), [
    'no thread is selected; the recording has node-7 (thread 0 of process 7)',
  ]);
});

test('a time is one since the first event, one that report prints, or that of a mark', (t) => {
  const path = record(t, nested());
  const moments = (from: string, to?: string): unknown => momentsOf(path, undefined, { from, to });
  assert.deepEqual(moments('2us', '0.0000055'), { from: at(2), to: at(5.5) });
  assert.deepEqual(moments('2us', '+1us'), { from: at(2), to: at(3) });
  assert.deepEqual(moments('@0.001002'), { from: at(2) });
  assert.deepEqual(moments('begin', 'of it'), { from: at(0.5), to: at(6.5) });
  assert.throws(
    () => moments('nothing'),
    new MomentError(
      "--from nothing: no mark contains this text; a time is seconds since the first event (1.5, 20ms), or @ and one of report's",
    ),
  );
  assert.throws(() => moments('end', 'begin'), /--to begin: no mark behind --from contains this text/);
  assert.throws(() => moments('3us', '1us'), /--to 1us is before --from 3us/);
});
