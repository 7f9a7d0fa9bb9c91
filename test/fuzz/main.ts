/**
 * `npm run fuzz -- [--seconds 300] [--seed N]`: feeds every control file of a running program random and hostile bytes, then
 * says whether it lives, answers, and works as fast as before. Exits with 1 when it does not.
 */
import { parseArgs } from 'node:util';
import { FuzzedProcess, type Measure } from './fuzz-process.js';
import { TreeFuzzer } from './fuzz-tree.js';
import { Random } from './random.js';

/** Requests between two looks at the process. */
const ROUND = 400;

/** Measures after which V8 has compiled again whatever it will: see docs/limitations.md. */
const MEASURES = 60;
/** What counts as being as fast as before. */
const AS_FAST = 1.05;

/** Measures until the work is as fast as before, as V8 recompiles what was patched in its own time. */
async function settledMeasure(before: number): Promise<Measure & { readonly measures: number }> {
  for (let measures = 1; ; measures++) {
    const measure = await target.measure();
    if (measures === MEASURES || measure.milliseconds < before * AS_FAST) return { ...measure, measures };
  }
}

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
  const after = target.end === undefined ? await settledMeasure(before.milliseconds) : undefined;
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
    const ratio = (after.milliseconds / before.milliseconds).toFixed(3);
    console.log(`the same work took ${ratio} of the time before, measured ${after.measures} times until V8 had recompiled`);
    console.log(`resident ${mebibytes(before.rss)} before, ${mebibytes(after.rss)} after`);
  }
  process.exitCode = after === undefined || unanswered.length > 0 || mistakes.length > 0 ? 1 : 0;
} finally {
  await target.stop();
}
