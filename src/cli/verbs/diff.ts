import { answerData } from '../../answers/answer.js';
import type { DiffAnswer } from '../../answers/diff/diff-answer.js';
import { diffText, verdictLines } from '../../answers/diff/diff-text.js';
import { slowedFunctions } from '../../answers/diff/slowed-functions.js';
import { functionFilter } from '../../output/trace-dat/calls/function-filter.js';
import { compareRecordings, USUAL_NOISE } from '../../timeline/compare.js';
import { ANSWER_HELP, ANSWER_OPTIONS, answerStyle } from '../answer-output.js';
import { parseOptions } from '../arguments.js';
import { measureRecording } from '../diff/measure-recording.js';
import { FILTER_OPTION, filterHelp } from '../filter-option.js';
import { complain } from '../output.js';
import { throughPager } from '../pager.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = { ...ANSWER_OPTIONS, filter: FILTER_OPTION, 'fail-over': { type: 'string' }, noise: { type: 'string' } } as const;

/** `10%`, `10`, `7.5%`: a part, 0.1 for 10 %. */
function partOf(option: string, word: string): number {
  const [, percent] = /^(\d+(?:\.\d+)?) ?%?$/.exec(word) ?? [];
  if (percent === undefined) throw new UsageError(`${option} must be a percentage such as 10%, not '${word}'`);
  return Number(percent) / 100;
}

/** Names the functions that are slower by more than a part. Returns the exit code. */
function failOver(answer: DiffAnswer, word: string): number {
  const functions = slowedFunctions(answer.functions, partOf('--fail-over', word));
  if (functions.length === 0) return 0;
  complain(`${functions.length === 1 ? '1 function is' : `${functions.length} functions are`} slower by more than ${word}`);
  for (const line of verdictLines({ ...answer, functions, drift: 1, noise: 0 }, {})) complain(line);
  return 1;
}

export const diff: Verb = {
  name: 'diff',
  isPortable: true,
  synopsis: '[--filter FUNC] [--all] [--json] [--fail-over PERCENT] [--noise PERCENT] BEFORE AFTER',
  summary: 'compare two recordings: which functions became slower',
  options: OPTIONS,
  help: `${ANSWER_HELP}${filterHelp(12)}  --fail-over PERCENT
            for CI: exit with 1, and name them, if calls of a function take longer by more than this part, and not by chance
  --noise PERCENT
            by how much a function differs from run to run on this machine (${100 * USUAL_NOISE}%): what smaller changes are taken for.
            Two recordings of one program show it

Functions are the same if their names, packages and files are: their lines may have moved.
Both recordings are of the same work, made with the same options, with -p function_graph.

Examples: fentry record -o before.dat -- node bench.js; git checkout new; fentry record -o after.dat -- node bench.js
          fentry diff --fail-over 10% before.dat after.dat
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [before, after, ...more] = words;
    if (before === undefined || after === undefined || more.length > 0)
      throw new UsageError('name two recordings: fentry diff before.dat after.dat');
    const limit = values['fail-over'];
    if (limit !== undefined) partOf('--fail-over', limit);
    const noise = values.noise === undefined ? USUAL_NOISE : partOf('--noise', values.noise);
    const paged = limit === undefined && !values.json ? throughPager() : undefined;
    if (paged !== undefined) return paged;
    const answer = compareRecordings(measureRecording(before, complain), measureRecording(after, complain), noise);
    const isShown = values.filter === undefined ? undefined : functionFilter(values.filter);
    const shown: DiffAnswer =
      isShown === undefined
        ? answer
        : { ...answer, functions: answer.functions.filter((one) => isShown({ symbol: one.name, module: one.package ?? '' })) };
    // Who names functions wants to see those.
    const style = answerStyle({ all: values.all === true || isShown !== undefined });
    const text = values.json ? [answerData(shown)] : Array.from(diffText(shown, style));
    process.stdout.write(text.map((line) => `${line}\n`).join(''));
    return limit === undefined ? 0 : failOver(shown, limit);
  },
};
