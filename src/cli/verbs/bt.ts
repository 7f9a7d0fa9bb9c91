import type { BtAnswer, BtRequest } from '../../answers/bt/bt-answer.js';
import { btText } from '../../answers/bt/bt-text.js';
import { ANSWER_HELP, ANSWER_OPTIONS, printAnswer } from '../answer-output.js';
import { type AnsweredProcess, answeredProcess } from '../answered-process.js';
import { numberOption, PID_OPTION, parseOptions } from '../arguments.js';
import type { Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  ...ANSWER_OPTIONS,
  locals: { type: 'boolean' },
  timeout: { type: 'string', short: 't' },
} as const;
const DEFAULT_SECONDS = 10;

export const bt: Verb = {
  name: 'bt',
  synopsis: '[--locals] [--all] [--json] [--timeout SECONDS] [PID]',
  summary: 'print what every thread of a running process does now',
  options: OPTIONS,
  help: `It may run with fentry or without it: then SIGUSR1 opens its inspector on 127.0.0.1 for a moment, as fentry attach does, and
nothing is left in it. A thread that runs JavaScript is held for some milliseconds while the values of its calls are read.

  --locals  with all variables of each call, not only its parameters
  -t, --timeout SECONDS
            how long a process without fentry has to answer (${DEFAULT_SECONDS})
${ANSWER_HELP}
Example: fentry bt 4711
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const seconds = values.timeout === undefined ? DEFAULT_SECONDS : numberOption('--timeout', values.timeout, 1);
    const asked = await answeredProcess(words, values.pid);
    printAnswer(await answerOf(asked, { locals: values.locals === true }, seconds), btText, values);
    return 0;
  },
};

async function answerOf({ client, pid }: AnsweredProcess, request: BtRequest, seconds: number): Promise<BtAnswer> {
  if (client !== undefined)
    return JSON.parse(await client.read(`answers/${request.locals ? 'bt_locals' : 'bt'}.json`)) as BtAnswer;
  // The inspector's client is large.
  const { btUnprepared } = await import('../unprepared/bt-unprepared.js');
  return btUnprepared(pid, request, seconds * 1000);
}
