// The program that is traced while its control files are fed nonsense: calls of all kinds on two threads, without an end.
// Over its IPC channel it says what it can do: `measure` answers the least milliseconds of several rounds of fixed work.
import { isMainThread, Worker } from 'node:worker_threads';

class Shop {
  order(id) {
    return handle(id) + 1;
  }
}

const step = (n) => (n * 31 + 7) | 0;

function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum = step(sum + i);
  return sum;
}

function handle(id) {
  try {
    if (id % 7 === 0) throw new Error('none left');
    return work(20);
  } catch {
    return -1;
  }
}

async function wait(id) {
  await null;
  return new Shop().order(id);
}

let id = 0;
const turn = async () => {
  await Promise.all([wait(id++), wait(id++)]);
  setTimeout(turn, 2);
};
turn();

if (isMainThread) {
  new Worker(new URL(import.meta.url)).unref();
  process.on('message', () => {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 30; round++) {
      const began = performance.now();
      for (let i = 0; i < 1000; i++) work(400);
      least = Math.min(least, performance.now() - began);
    }
    process.send({ milliseconds: least, rss: process.memoryUsage.rss() });
  });
}
