/** Threads beside the main thread. */
export const WORKERS = 4;

/**
 * A program whose threads call `work` and what it calls in bursts, and count the calls, until SIGUSR2; then it prints the
 * count of each thread and stays.
 */
export const PROGRAM = `
const { Worker, isMainThread, workerData } = require('node:worker_threads');
const shared = isMainThread ? new Int32Array(new SharedArrayBuffer(64)) : workerData.shared;
const own = isMainThread ? 0 : workerData.own;
const STOP = 14;
const DONE = 15;
let calls = 0;

function work(n) { calls++; return parse(n) + render(n); }
function parse(n) { return read(n) * 2; }
function read(n) { return n + 1; }
function render(n) { try { if (n % 7 === 0) fail(n); return escape(n); } catch { return 0; } }
function escape(n) { return n - 1; }
function fail(n) { throw new RangeError(String(n)); }

function turn() {
  for (let i = 0; i < 10; i++) work(i);
  if (Atomics.load(shared, STOP) === 0) return void setTimeout(turn, 4);
  shared[own] = calls;
  if (Atomics.add(shared, DONE, 1) === ${WORKERS}) Atomics.notify(shared, DONE);
}

if (isMainThread) {
  for (let i = 1; i <= ${WORKERS}; i++) new Worker(__filename, { workerData: { shared, own: i } });
  process.once('SIGUSR2', () => {
    Atomics.store(shared, STOP, 1);
    const asking = setInterval(() => {
      if (Atomics.load(shared, DONE) <= ${WORKERS}) return;
      clearInterval(asking);
      console.log(JSON.stringify([...shared.subarray(0, ${WORKERS + 1})]));
    }, 10);
  });
}
setInterval(() => {}, 1000);
turn();
`;
