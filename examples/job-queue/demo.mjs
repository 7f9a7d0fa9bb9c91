// A program that uses the library: `node demo.mjs [ROUNDS] [PAUSE]` adds ten jobs in each round, with PAUSE milliseconds between rounds.
import { setTimeout as wait } from 'node:timers/promises';
import { JobQueue } from 'job-queue';
import { queueDrained } from 'job-queue/trace';

const [, , rounds = '1', pause = '0'] = process.argv;
const NAMES = ['resize', 'mail', 'index'];
const queue = new JobQueue();

const drained = [];
queueDrained.registerProbe((done) => drained.push(done));

/** A job whose first attempt fails if its number can be divided by seven. */
function jobOf(number) {
  let attempt = 0;
  return async () => {
    await wait(number % 3);
    if (number % 7 === 0 && attempt++ === 0) throw new Error('not yet');
    return { number };
  };
}

for (let round = 0; round < Number(rounds); round++) {
  const numbers = Array.from({ length: 10 }, (_, i) => round * 10 + i + 1);
  const results = await Promise.all(numbers.map((number) => queue.add(NAMES[number % 3], jobOf(number))));
  console.log(results.map(({ number }) => number).join(' '));
  await wait(Number(pause));
}
console.log(`drained after ${drained.join(', ')} jobs`);
