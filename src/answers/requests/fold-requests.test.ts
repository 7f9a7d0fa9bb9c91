import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestFold } from './fold-requests.js';
import { requestsText } from './requests-text.js';
import { TraceLines } from './trace-lines.js';

/** A trace whose lines have no flags, as those of a report: `MILLISECONDS EVENT: TEXT`, or a frame of a stack. */
function folded(trace: string) {
  const fold = new RequestFold();
  const lines = new TraceLines((event) => fold.take(event));
  for (const text of trace.trim().split('\n')) {
    const [, time, rest] = /^\s*(\d+(?:\.\d+)?) (.*)$/.exec(text) ?? [];
    lines.line(time === undefined ? text : `  node-7 [000] ${(1000 + Number(time) / 1000).toFixed(6)}: ${rest}`);
  }
  lines.end();
  const frameOf = (name: string) =>
    name.startsWith('own') ? { name, place: { file: `/srv/${name}.js`, line: 3, column: 1 }, isOwn: true } : undefined;
  return fold.answer({ pid: 7, application: '/srv' }, frameOf);
}
const to = (next: number, comm: string, state = 'S'): string =>
  `sched_switch: prev_comm=x prev_pid=1 prev_prio=120 prev_state=${state} ==> next_comm=${comm} next_pid=${next} next_prio=120`;
const fork = (pid: number, comm: string): string => `sched_process_fork: comm=x pid=1 child_comm=${comm} child_pid=${pid}`;
const waking = (pid: number): string => `sched_waking: comm=x pid=${pid} prio=0 target_cpu=000`;
const IDLE = to(0, 'swapper/0');
const begin = (id: number, url: string): string => `server_request_start: id=${id} skaddr=0x2 method=GET url=${url}`;
const end = (id: number): string =>
  `server_request_end: id=${id} skaddr=0x2 method=GET url=/ status=200 bytes=4 duration=1 error=`;
const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

test('a request runs, awaits a timer, waits for its thread, and the parts are its whole time', () => {
  const { slowest, routes, finished } = folded(`
0 ${to(5, 'HTTPINCOMINGMES')}
1 ${begin(1, '/items/42?q=1')}
2 ${fork(10, 'Timeout')}
2 ${fork(11, 'PROMISE')}
3 kernel_stack: <stack trace >
=> builtin (ffff)
=> ownWait (fffe)
4 ${IDLE}
20 gc: kind=scavenge flags=none start=1000.021000 duration=2000000ns heap_before=1B heap_after=1B
54 ${waking(10)}
60 ${to(10, 'Timeout')}
60.5 ${waking(11)}
61 ${IDLE}
61 ${to(11, 'PROMISE')}
70 ${end(1)}
70 ${IDLE}
`);
  assert.equal(finished, 1);
  const [one] = slowest;
  assert.deepEqual([one!.method, one!.url, one!.status, rounded(one!.ms)], ['GET', '/items/42?q=1', 200, 69]);
  assert.deepEqual([rounded(one!.threadMs), rounded(one!.queuedMs), rounded(one!.collectionsMs)], [13, 6, 2]);
  assert.deepEqual(
    one!.waits.map(({ kind, ms, count, frame }) => [kind, rounded(ms), count, frame?.name]),
    [['timer', 50, 1, 'ownWait']],
  );
  assert.equal(routes[0]!.route, 'GET /items/:id');
});

test('a request that awaits a promise of another one waits for that, and not for its timer', () => {
  const { slowest } = folded(`
0 ${to(5, 'HTTPINCOMINGMES')}
0 ${begin(1, '/a')}
0 ${fork(10, 'Timeout')}
1 ${fork(11, 'PROMISE')}
1 ${IDLE}
2 ${to(6, 'HTTPINCOMINGMES')}
2 ${begin(2, '/b')}
3 ${fork(12, 'PROMISE')}
4 ${IDLE}
40 ${waking(10)}
40 ${to(10, 'Timeout')}
41 ${waking(11)}
41 ${IDLE}
41 ${to(11, 'PROMISE')}
45 ${waking(12)}
50 ${end(1)}
50 ${IDLE}
50 ${to(12, 'PROMISE')}
52 ${end(2)}
`);
  const other = slowest.find(({ id }) => id === 2)!;
  assert.deepEqual(
    other.waits.map(({ kind, request, ms }) => [kind, request, rounded(ms)]),
    [['request', 1, 41]],
  );
  assert.deepEqual([rounded(other.queuedMs), rounded(other.threadMs), rounded(other.ms)], [5, 4, 50]);
});

test('requests of one connection are told apart, and an answer may be finished by another context', () => {
  const { slowest } = folded(`
0 ${to(5, 'HTTPINCOMINGMES')}
0 ${begin(1, '/a')}
1 ${fork(20, 'FSREQCALLBACK')}
1 ${IDLE}
11 ${to(20, 'FSREQCALLBACK')}
12 ${IDLE}
15 ${to(30, 'WRITEWRAP')}
15 ${end(1)}
15 ${IDLE}
20 ${to(5, 'HTTPINCOMINGMES')}
20 ${begin(2, '/b')}
23 ${end(2)}
23 ${IDLE}
CPU:0 [LOST 12 EVENTS]
`);
  assert.deepEqual(
    slowest.map(({ url, threadMs, ms, waits }) => [
      url,
      rounded(threadMs),
      rounded(ms),
      waits.map(({ kind, ms: time }) => [kind, rounded(time)]),
    ]),
    [
      [
        '/a',
        2,
        15,
        [
          ['file', 10],
          ['answer', 3],
        ],
      ],
      ['/b', 3, 3, []],
    ],
  );
});

test('the text has the routes, then the slowest requests with the places of their waits', () => {
  const answer = folded(`
0 ${to(5, 'HTTPINCOMINGMES')}
0 ${begin(1, '/evil\u001b[2J')}
1 ${fork(11, 'PROMISE')}
1 kernel_stack: <stack trace >
=> ownWait (fffe)
2 ${fork(10, 'Timeout')}
2 ${IDLE}
52 ${waking(10)}
52 ${to(10, 'Timeout')}
52 ${waking(11)}
53 ${end(1)}
`);
  assert.deepEqual(requestsText(answer, {}), [
    '1 request finished',
    '  GET /evil^[[2J  1 times: half within 53.0 ms, 99 % within 53.0 ms, slowest 53.0 ms; mean 3.0 ms on the thread, 0.0 ms waiting for it',
    '',
    '53.0 ms  GET /evil^[[2J 200',
    '        3.0 ms  on the thread',
    '       50.0 ms  waiting for a timer, in ownWait ownWait.js:3',
  ]);
});
