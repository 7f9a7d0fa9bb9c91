import type { BtAnswer } from '../../answers/bt/bt-answer.js';
import { btText } from '../../answers/bt/bt-text.js';
import type { WaitingAnswer, WaitingRequest } from '../../answers/waiting/waiting-answer.js';
import { waitingText } from '../../answers/waiting/waiting-text.js';
import { ANSWER_HELP, ANSWER_OPTIONS, printAnswer, statusOf } from '../answer-output.js';
import { answeredProcess, answerOf } from '../answered-process.js';
import { numberOption, PID_OPTION, parseOptions } from '../arguments.js';
import type { UnpreparedRequest } from '../unprepared/bt-unprepared.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  ...ANSWER_OPTIONS,
  locals: { type: 'boolean' },
  native: { type: 'boolean' },
  timeout: { type: 'string', short: 't' },
  waiting: { type: 'boolean' },
  force: { type: 'boolean' },
} as const;
const DEFAULT_SECONDS = 10;
/** Seconds for --waiting: a snapshot of a large heap takes long. */
const DEFAULT_WAITING_SECONDS = 300;

export const bt: Verb = {
  name: 'bt',
  synopsis: '[--waiting [--force]] [--locals] [--native] [--all] [--json] [--timeout SECONDS] [PID]',
  summary: 'print what every thread of a running process does now',
  options: OPTIONS,
  help: `It may run with fentry or without it: then SIGUSR1 opens its inspector on 127.0.0.1 for a moment, as fentry attach does, and
nothing is left in it. A thread that runs JavaScript is held for some milliseconds while the values of its calls are read.

  --locals  with all variables of each call, not only its parameters
  --native  with the machine code on each stack, and the threads that run no JavaScript, as where the process was started with
            FENTRY=native; each thread stands still for a moment. Of a program that is not Node's, nothing else is printed
  --waiting print the suspended async calls instead, as trees from the innermost await up to the request; each thread stands still for a
            snapshot of its heap. With --locals: also the variables of the first calls
  --force   with --waiting: also of a heap above 512 MB
  -t, --timeout SECONDS
            how long a process without fentry has to answer (${DEFAULT_SECONDS}; with --waiting ${DEFAULT_WAITING_SECONDS})
${ANSWER_HELP}
Examples: fentry bt 4711
          fentry bt --waiting 4711
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const { waiting = false, force = false, locals = false, native = false, timeout } = values;
    if (native && waiting) throw new UsageError('--native is not for --waiting');
    if (force && !waiting) throw new UsageError('--force is for --waiting');
    const usual = waiting ? DEFAULT_WAITING_SECONDS : DEFAULT_SECONDS;
    const seconds = timeout === undefined ? usual : numberOption('--timeout', timeout, 1);
    const asked = await answeredProcess(words, values.pid);
    if (!waiting) {
      const ask = () => answerOf(asked, locals ? 'bt_locals' : 'bt', unprepared.bt({ locals, native }, seconds));
      const answer = await ask();
      // It runs with fentry, but its machine code is not traced.
      const isMissing = native && asked.client !== undefined && answer.others === undefined;
      printAnswer(isMissing ? await unprepared.withNative(asked.pid, ask) : answer, btText, values);
      return 0;
    }
    const name = `waiting${locals ? '_locals' : ''}${force ? '_forced' : ''}`;
    const value = await answerOf(asked, name, unprepared.waiting({ locals, force }, seconds));
    printAnswer(value, waitingText, values);
    return statusOf(value);
  },
};

/** What asks a process that runs without fentry: the inspector's client is large, and loaded then. */
const unprepared = {
  bt:
    (request: UnpreparedRequest, seconds: number) =>
    async (pid: number): Promise<BtAnswer> => {
      const { btUnprepared } = await import('../unprepared/bt-unprepared.js');
      return btUnprepared(pid, request, seconds * 1000);
    },
  async withNative(pid: number, ask: () => Promise<BtAnswer>): Promise<BtAnswer> {
    const [{ lookAtStacks }, { withStacks }] = await Promise.all([
      import('../unprepared/bt-unprepared.js'),
      import('../../port/joined-inspect.js'),
    ]);
    return withStacks(() => lookAtStacks(pid), [], ask);
  },
  waiting:
    (request: WaitingRequest, seconds: number) =>
    async (pid: number): Promise<WaitingAnswer> => {
      const { waitingUnprepared } = await import('../unprepared/waiting-unprepared.js');
      return waitingUnprepared(pid, request, seconds * 1000);
    },
} as const;
