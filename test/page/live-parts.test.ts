import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BtAnswer, BtThread } from '../../src/answers/bt/bt-answer.js';
import { EMPTY_LOG, withLines } from '../../src/page/live/bounded-log.js';
import { parseHist } from '../../src/page/live/hist-text.js';
import { countSeen, loadText, seenOf, threadGroups, threadWords } from '../../src/page/live/now-words.js';
import { knownProbes, linesPath, probeHit, probeLines } from '../../src/page/live/source-lines.js';

const HIST = `# event histogram
#
# trigger info: hist:keys=url,common_pid:vals=hitcount,bytes:sort=hitcount:size=2048 [active]
#

{ url: /a b                          , common_pid:       4711 } hitcount:          2  bytes:        700
{ url: /{x}, y: 1                    , common_pid:       4711 } hitcount:         10  bytes:         -5

Totals:
    Hits: 12
    Entries: 2
    Dropped: 1

# event histogram
#
# trigger info: hist:keys=common_stacktrace:vals=hitcount:sort=hitcount:size=2048 [paused]
#

{ common_stacktrace:
         compute+0x10/0x20
         Shop.answer+0x5/0x89
} hitcount:          3

Totals:
    Hits: 3
    Entries: 1
    Dropped: 0
`;

test('a file of histograms is read, with several values, several histograms, and stacks', () => {
  assert.deepEqual(parseHist(HIST), [
    {
      trigger: 'hist:keys=url,common_pid:vals=hitcount,bytes:sort=hitcount:size=2048',
      rows: [
        {
          key: 'url: /a b, common_pid: 4711',
          values: [
            ['hitcount', 2],
            ['bytes', 700],
          ],
        },
        {
          key: 'url: /{x}, y: 1, common_pid: 4711',
          values: [
            ['hitcount', 10],
            ['bytes', -5],
          ],
        },
      ],
      hits: 12,
      dropped: 1,
    },
    {
      trigger: 'hist:keys=common_stacktrace:vals=hitcount:sort=hitcount:size=2048',
      rows: [{ key: 'common_stacktrace: compute+0x10/0x20 Shop.answer+0x5/0x89', values: [['hitcount', 3]] }],
      hits: 3,
      dropped: 0,
    },
  ]);
  assert.deepEqual(parseHist(''), []);
});

test('lines of a source, probes and their hits are read', () => {
  assert.deepEqual(probeLines('</srv/a.js:1>\n         }\n      2  f(1);\n     10  12345  x\n'), [
    { line: 1, text: '}', isPlace: false },
    { line: 2, text: 'f(1);', isPlace: true },
    { line: 3, text: '12345  x', isPlace: true },
  ]);
  assert.equal(linesPath('/srv/a.js'), 'kprobes/lines/!srv!a.js');
  assert.deepEqual(knownProbes('p:probe/f_L2 /srv/a.js:2 n=n\nr8:g/h f\ns:x int y\n'), [
    { name: 'probe:f_L2', event: 'f_L2', place: '/srv/a.js:2' },
    { name: 'g:h', event: 'h', place: 'f' },
  ]);
  const line = '            node-4711    [000] ..... 60445.863289: f_L2: (f+0x1/0x2) n="a b: (c)" m=1';
  assert.deepEqual(probeHit(line), { time: '60445.863289', event: 'f_L2', values: 'n="a b: (c)" m=1' });
  assert.equal(probeHit('CPU:0 [LOST 7 EVENTS]'), undefined);
});

const OWN = { name: 'compute', place: { file: '/srv/a.js', line: 5, column: 1 }, isOwn: true };
const NODE = { name: 'get', package: 'node', isOwn: false };
const thread = (more: Partial<BtThread>): BtThread => ({ thread: 0, name: '', state: 'running', frames: [], ...more });

test('what a thread does is said in words', () => {
  for (const [one, words] of [
    [thread({ frames: [OWN] }), 'runs compute at a.js:5'],
    [thread({ frames: [NODE, OWN] }), 'runs compute at a.js:5, which has called get'],
    [thread({ frames: [NODE] }), 'runs get'],
    [thread({}), 'runs JavaScript'],
    [thread({ state: 'idle' }), 'waits for the next event: nothing is to do'],
    [thread({ doing: 'waits in Atomics.wait', frames: [OWN] }), 'waits in Atomics.wait, in compute at a.js:5'],
    [thread({ state: 'blocked', doing: 'waits for a child process' }), 'waits for a child process'],
    [thread({ state: 'held', frames: [OWN] }), 'is held by a debugger in compute at a.js:5'],
  ] as const)
    assert.equal(threadWords(one, '/srv'), words);
});

test('looks that are alike are counted, and workers that wait are one line', () => {
  const bt = (frames: BtThread['frames'], state: BtThread['state'] = 'running'): BtAnswer => ({
    answer: 'bt',
    version: 1,
    pid: 1,
    application: '/srv',
    threads: [thread({ state, frames })],
  });
  const looks = [bt([OWN]), bt([], 'idle'), bt([NODE, OWN])].map(seenOf);
  assert.deepEqual(
    countSeen(looks).map(({ seen, count }) => [seen.words, count]),
    [
      ['compute', 2],
      ['waits for the next event', 1],
    ],
  );
  const workers = Array.from({ length: 20 }, (_one, i) => thread({ thread: i + 1, state: i === 3 ? 'running' : 'idle' }));
  assert.deepEqual(
    threadGroups([thread({}), ...workers]).map(({ threads, isFolded }) => [threads.length, isFolded]),
    [
      [1, false],
      [1, false],
      [19, true],
    ],
  );
});

test('the load is the difference of two readings; a log keeps the last lines and counts the others', () => {
  const reading = { at: 10, cpu: 3, threads: 12, bytes: 190e6 };
  assert.equal(loadText(reading, undefined), '190 MB of memory, 12 threads of the system');
  assert.equal(loadText(reading, { ...reading, at: 8, cpu: 2 }), '50 % of a core, 190 MB of memory, 12 threads of the system');
  const log = withLines(withLines(EMPTY_LOG, ['a', 'b', 'c'], 4), ['d', 'e'], 4);
  assert.deepEqual(log, { lines: ['b', 'c', 'd', 'e'], dropped: 1 });
  assert.deepEqual(withLines(log, ['1', '2', '3', '4', '5'], 4), { lines: ['2', '3', '4', '5'], dropped: 6 });
});
