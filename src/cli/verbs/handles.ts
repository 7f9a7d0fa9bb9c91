import type { HandlesAnswer } from '../../answers/handles/handles-answer.js';
import { handlesText } from '../../answers/handles/handles-text.js';
import { ANSWER_HELP, ANSWER_OPTIONS, printAnswer } from '../answer-output.js';
import { type AnsweredProcess, answeredProcess } from '../answered-process.js';
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
    const value = await answerOf(asked, force, seconds);
    printAnswer(value, handlesText, values);
    return value.threads.every(({ silence }) => silence !== undefined) ? 1 : 0;
  },
};

async function answerOf({ client, pid }: AnsweredProcess, force: boolean, seconds: number): Promise<HandlesAnswer> {
  if (client !== undefined)
    return JSON.parse(await client.read(`answers/${force ? 'handles_forced' : 'handles'}.json`)) as HandlesAnswer;
  // The inspector's client is large.
  const { handlesUnprepared } = await import('../unprepared/handles-unprepared.js');
  return handlesUnprepared(pid, { force }, seconds * 1000);
}
