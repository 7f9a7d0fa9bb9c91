import type { HandlesAnswer } from '../../answers/handles/handles-answer.js';
import { handlesText } from '../../answers/handles/handles-text.js';
import { ANSWER_HELP, ANSWER_OPTIONS, printAnswer, statusOf } from '../answer-output.js';
import { answeredProcess, answerOf } from '../answered-process.js';
import { numberOption, PID_OPTION, parseOptions } from '../arguments.js';
import type { Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  ...ANSWER_OPTIONS,
  force: { type: 'boolean' },
  timeout: { type: 'string', short: 't' },
} as const;
const DEFAULT_SECONDS = 60;

export const handles: Verb = {
  name: 'handles',
  synopsis: '[--force] [--all] [--json] [--timeout SECONDS] [PID]',
  summary: 'print what keeps a running process alive: timers, servers, sockets, child processes',
  options: OPTIONS,
  help: `It may run with fentry or without it, as for fentry bt. If it was started with FENTRY=handles, the output has who made each.

  --force   also look for timers in a heap above 512 MB: the thread stands still meanwhile
  -t, --timeout SECONDS
            how long a process without fentry has to answer (${DEFAULT_SECONDS})
${ANSWER_HELP}
Example: fentry handles 4711
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const { force = false, timeout } = values;
    const seconds = timeout === undefined ? DEFAULT_SECONDS : numberOption('--timeout', timeout, 1);
    const asked = await answeredProcess(words, values.pid);
    const value = await answerOf(asked, force ? 'handles_forced' : 'handles', async (pid): Promise<HandlesAnswer> => {
      // The inspector's client is large.
      const { handlesUnprepared } = await import('../unprepared/handles-unprepared.js');
      return handlesUnprepared(pid, { force }, seconds * 1000);
    });
    printAnswer(value, handlesText, values);
    return statusOf(value);
  },
};
