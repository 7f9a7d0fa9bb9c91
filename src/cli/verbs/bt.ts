import type { BtAnswer } from '../../answers/bt/bt-answer.js';
import { btText } from '../../answers/bt/bt-text.js';
import { ANSWER_HELP, ANSWER_OPTIONS, printAnswer } from '../answer-output.js';
import { preparedClient } from '../answered-process.js';
import { PID_OPTION, parseOptions } from '../arguments.js';
import type { Verb } from '../verb.js';

const OPTIONS = { ...PID_OPTION, ...ANSWER_OPTIONS, locals: { type: 'boolean' } } as const;

export const bt: Verb = {
  name: 'bt',
  synopsis: '[--locals] [--all] [--json] [PID]',
  summary: 'print what every thread of a running process does now',
  options: OPTIONS,
  help: `The process may run with fentry or without it.

  --locals  with the variables of each call
${ANSWER_HELP}
Example: fentry bt 4711
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const asked = await preparedClient(words, values.pid);
    printAnswer(await answerOf(asked, values.locals === true), btText, values);
    return 0;
  },
};

async function answerOf({ client, pid }: Awaited<ReturnType<typeof preparedClient>>, locals: boolean): Promise<BtAnswer> {
  if (client !== undefined) return JSON.parse(await client.read(`answers/${locals ? 'bt_locals' : 'bt'}.json`)) as BtAnswer;
  // The inspector's client is large.
  const { btUnprepared } = await import('../unprepared/bt-unprepared.js');
  return btUnprepared(pid, { locals });
}
