/**
 * `npm run fuzz -- [--seconds 300] [--seed N]`: feeds every control file of a running program random and hostile bytes, then
 * says whether it lives, answers, and works as fast as before. Exits with 1 when it does not.
 */
import { parseArgs } from 'node:util';
import { FuzzedProcess } from './fuzz-process.js';
import { TreeFuzzer } from './fuzz-tree.js';
import { Random } from './random.js';

/** Requests between two looks at the process. */
const ROUND = 400;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '300' }, seed: { type: 'string', default: String(Date.now() % 2 ** 31) } },
});

const target = await FuzzedProcess.start();
const fuzzer = new TreeFuzzer(target.client, new Random(Number(values.seed)));
const { outcomes, unanswered, mistakes } = fuzzer.tally;
try {
  console.log(`seed ${values.seed}, ${values.seconds} s`);
  const before = await target.measure();
  const end = performance.now() + Number(values.seconds) * 1000;
  let rounds = 0;
  while (performance.now() < end && target.end === undefined) {
    await fuzzer.round(ROUND);
    rounds++;
  }
  if (target.end === undefined) await target.reset();
  const after = target.end === undefined ? await target.measure() : undefined;
  console.log(
    [...outcomes]
      .sort(([, a], [, b]) => b - a)
      .map(([outcome, count]) => `${outcome} ${count}`)
      .join(', '),
  );
  for (const what of unanswered) console.log(`no answer: ${what}`);
  for (const what of new Set(mistakes)) console.log(`mistake: ${what}`);
  if (after === undefined) console.log(`the process ${target.end}`);
  else {
    const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
    console.log(`${rounds * ROUND} requests; the process lives and answers`);
    console.log(`the same work took ${(after.milliseconds / before.milliseconds).toFixed(3)} of the time before`);
    console.log(`resident ${mebibytes(before.rss)} before, ${mebibytes(after.rss)} after`);
  }
  process.exitCode = after === undefined || unanswered.length > 0 || mistakes.length > 0 ? 1 : 0;
} finally {
  await target.stop();
}
