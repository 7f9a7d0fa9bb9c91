import { allocationStacks } from '../../answers/allocations/allocation-stacks.js';
import { type AllocationsAnswer, DEFAULT_SECONDS, MOST_SECONDS } from '../../answers/allocations/allocations-answer.js';
import { allocationsText } from '../../answers/allocations/allocations-text.js';
import { ANSWER_HELP, ANSWER_OPTIONS, printAnswer, statusOf } from '../answer-output.js';
import { answeredProcess, answerOf } from '../answered-process.js';
import { numberOption, PID_OPTION, parseOptions } from '../arguments.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  ...ANSWER_OPTIONS,
  delay: { type: 'string', short: 'd' },
  kept: { type: 'boolean' },
  'flame-graph': { type: 'boolean' },
} as const;

export const alloc: Verb = {
  name: 'alloc',
  synopsis: '[-d SECONDS] [--kept] [--flame-graph] [--all] [--json] [PID]',
  summary: 'print the functions of a running process that allocate memory',
  options: OPTIONS,
  help: `V8 samples the allocations of each thread for some seconds: in the first half of them, at most 10, all that is allocated is
counted, in the rest what of it lives on. At the end of each part the thread stands still for a collection of garbage.
The process may run with fentry or without it.

  -d SECONDS     for so many seconds (${DEFAULT_SECONDS})
  --kept         order by what lives on
  --flame-graph  print stacks with bytes, for flamegraph.pl, speedscope and others; with --kept of what lives on
${ANSWER_HELP}
Example: fentry alloc -d 30 --kept 4711
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const seconds = values.delay === undefined ? DEFAULT_SECONDS : numberOption('-d', values.delay, 1);
    if (seconds > MOST_SECONDS) throw new UsageError(`-d takes at most ${MOST_SECONDS} seconds, not '${values.delay}'`);
    const { kept: byKept = false, 'flame-graph': isFlameGraph = false } = values;
    if (isFlameGraph && values.json) throw new UsageError('--flame-graph or --json, not both');
    const asked = await answeredProcess(words, values.pid);
    const value = await answerOf(asked, `allocations_seconds/${seconds}`, async (pid): Promise<AllocationsAnswer> => {
      // The inspector's client is large.
      const { allocationsUnprepared } = await import('../unprepared/allocations-unprepared.js');
      return allocationsUnprepared(pid, { seconds });
    });
    const text = isFlameGraph ? allocationStacks : allocationsText;
    printAnswer(value, (answer, style) => text(answer, { ...style, byKept }), values);
    return statusOf(value);
  },
};
