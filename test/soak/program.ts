/** Threads beside the main thread. */
const WORKERS = 4;

/**
 * A program whose threads call `work` and what it calls in bursts. Its workers end, and others take their places. A word on stdin
 * says what the calls count as from then on; the answer is a line with the sums so far, when no thread is in a burst any more:
 * `on` and `off` count apart, `pause` has no calls, `end` none ever again.
 */
export const PROGRAM = `
const { Worker, isMainThread, workerData } = require('node:worker_threads');
const shared = isMainThread ? new Int32Array(new SharedArrayBuffer(16)) : workerData;
const PHASES = ['on', 'off', 'pause', 'end'];
const PAUSE = 2;
const END = 3;
const PHASE = 2;
const INSIDE = 3;

function work(n) { return parse(n) + render(n); }
function parse(n) { return read(n) * 2; }
function read(n) { return n + 1; }
function render(n) { try { if (n % 7 === 0) fail(n); return escape(n); } catch { return 0; } }
function escape(n) { return n - 1; }
function fail(n) { throw new RangeError(String(n)); }

function turn(left) {
  Atomics.add(shared, INSIDE, 1);
  const phase = Atomics.load(shared, PHASE);
  for (let i = 0; phase < PAUSE && i < 10; i++) {
    work(i);
    Atomics.add(shared, phase, 1);
  }
  Atomics.sub(shared, INSIDE, 1);
  if (phase === END) return;
  if (left > 0) setTimeout(turn, 4, left - 1);
}

function bear() {
  if (shared[PHASE] === END) return;
  new Worker(__filename, { workerData: shared }).on('exit', bear);
}

function answer() {
  if (Atomics.load(shared, INSIDE) > 0) return void setTimeout(answer, 1);
  console.log(JSON.stringify({ on: shared[0], off: shared[1] }));
}

if (isMainThread) {
  for (let i = 0; i < ${WORKERS}; i++) bear();
  process.stdin.setEncoding('utf8').on('data', (word) => {
    Atomics.store(shared, PHASE, PHASES.indexOf(word.trim()));
    answer();
  });
  turn(Infinity);
} else turn(100 + 100 * Math.random());
`;
