import { DEFAULT_SECONDS, type HeapAnswer, MOST_SECONDS } from '../../answers/heap/heap-answer.js';
import { heapText } from '../../answers/heap/heap-text.js';
import { ANSWER_HELP, ANSWER_OPTIONS, printAnswer, statusOf } from '../answer-output.js';
import { answeredProcess, answerOf } from '../answered-process.js';
import { numberOption, PID_OPTION, parseOptions } from '../arguments.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  ...ANSWER_OPTIONS,
  delay: { type: 'string', short: 'd' },
  force: { type: 'boolean' },
} as const;

export const heap: Verb = {
  name: 'heap',
  synopsis: '[-d SECONDS] [--force] [--all] [--json] [PID]',
  summary: 'print which objects of a running process become more, and what holds them',
  options: OPTIONS,
  help: `The objects that live are counted by their constructors now and some seconds later. For those that have become more it says how
they are held: variables with their files, properties, closures with their places. Each thread stands still for a snapshot of its heap
at both points, some 4 s for 100 MB. The process may run with fentry or without it.

  -d SECONDS  the time between the points (${DEFAULT_SECONDS})
  --force     also of a heap above 512 MB
${ANSWER_HELP}
Example: fentry heap -d 60 4711
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const seconds = values.delay === undefined ? DEFAULT_SECONDS : numberOption('-d', values.delay, 1);
    if (seconds > MOST_SECONDS) throw new UsageError(`-d takes at most ${MOST_SECONDS} seconds, not '${values.delay}'`);
    const { force = false } = values;
    const asked = await answeredProcess(words, values.pid);
    const value = await answerOf(asked, `heap_seconds/${seconds}${force ? '_forced' : ''}`, async (pid): Promise<HeapAnswer> => {
      // The inspector's client is large.
      const { heapUnprepared } = await import('../unprepared/heap-unprepared.js');
      return heapUnprepared(pid, { seconds, force });
    });
    printAnswer(value, heapText, values);
    return statusOf(value);
  },
};
