import { createInterface } from 'node:readline';
import type { SlowAnswer, SlowTurn } from '../../answers/slow/slow-answer.js';
import { turnText } from '../../answers/slow/slow-text.js';
import type { TraceClient } from '../../client/trace-client.js';
import { ANSWER_HELP, ANSWER_OPTIONS, answerStyle } from '../answer-output.js';
import { answeredProcess } from '../answered-process.js';
import { numberOption, PID_OPTION, parseOptions } from '../arguments.js';
import { isGone } from '../is-gone.js';
import { complain } from '../output.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  ...ANSWER_OPTIONS,
  delay: { type: 'string', short: 'd' },
  number: { type: 'string', short: 'n' },
} as const;
/** Milliseconds of a turn that nobody has named. */
const DEFAULT_MS = 50;
const LEAST_MS = 10;

export const slow: Verb = {
  name: 'slow',
  synopsis: '[--pid PID] [-d SECONDS] [-n N] [--all] [--json] [MS]',
  summary: 'say of every turn of the event loop that takes too long what it did, and where',
  options: OPTIONS,
  help: `MS: turns over so many milliseconds (${DEFAULT_MS}); at least ${LEAST_MS}.
Each turn is printed when it is over, with what began it, its functions, collections, and synchronous operations.
While turns are short it costs next to nothing: fentry's own thread looks at the stack only while a turn is too long.
A process without fentry is attached to for that time, and detached from at the end.

  -d SECONDS  end after so many seconds; otherwise with Ctrl-C, or with the process
  -n N        end after so many turns
${ANSWER_HELP}              with --json each turn is a line

Example: fentry slow --pid 4711 100
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [word, more] = words;
    if (more !== undefined) throw new UsageError(`slow takes one number of milliseconds: '${more}' is a second one`);
    const ms = word === undefined ? DEFAULT_MS : numberOption('MS', word, LEAST_MS);
    const seconds = values.delay === undefined ? undefined : numberOption('-d', values.delay, 1);
    const most = values.number === undefined ? undefined : numberOption('-n', values.number, 1);
    const { client, pid } = await answeredProcess([], values.pid);
    const following = { seconds, most, json: values.json === true, all: values.all === true };
    if (client !== undefined) await follow(client, ms, following);
    else {
      // The inspector's client is large.
      const { whileAttached } = await import('../attach/while-attached.js');
      await whileAttached(pid, (attachedTo) => follow(attachedTo, ms, following));
    }
    return 0;
  },
};

interface Following {
  readonly seconds: number | undefined;
  readonly most: number | undefined;
  readonly json: boolean;
  readonly all: boolean;
}

/** Prints turns as they come. */
async function follow(client: TraceClient, ms: number, { seconds, most, json, all }: Following): Promise<void> {
  const { application } = JSON.parse(await client.read('answers/slow.json')) as SlowAnswer;
  const style = { ...answerStyle({ all }), folder: application };
  const end = new AbortController();
  const stop = (): void => end.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const timer = seconds === undefined ? undefined : setTimeout(() => end.abort(), seconds * 1000);
  let count = 0;
  try {
    const stream = await client.open(`answers/slow_pipes/${ms}`, end.signal);
    for await (const line of createInterface({ input: stream })) {
      const turn = JSON.parse(line) as SlowTurn;
      process.stdout.write(json ? `${line}\n` : `${turnText(turn, style).join('\n')}\n\n`);
      if (++count === most) break;
    }
    stream.destroy();
  } catch (error) {
    if (!end.signal.aborted && !isGone(error)) throw error;
    if (isGone(error)) complain(`process ${client.pid} has ended`);
  } finally {
    clearTimeout(timer);
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
  if (count === 0 && seconds !== undefined && !json) {
    process.stdout.write(`no turn of the event loop took more than ${ms} ms in ${seconds} s\n`);
  }
}
