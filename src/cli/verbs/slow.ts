import { createInterface } from 'node:readline';
import type { SlowAnswer, SlowTurn } from '../../answers/slow/slow-answer.js';
import { turnText } from '../../answers/slow/slow-text.js';
import type { TraceClient } from '../../client/trace-client.js';
import { ANSWER_HELP, ANSWER_OPTIONS, answerStyle } from '../answer-output.js';
import { answeredProcess } from '../answered-process.js';
import { numberOption, PID_OPTION } from '../arguments.js';
import { EVENT_HELP, EVENT_OPTIONS } from '../event-options.js';
import { isGone } from '../is-gone.js';
import { complain } from '../output.js';
import type { TurnRecorder } from '../record/turn-recorder.js';
import { parseTracerOptions, TRACER_OPTIONS, type TracerOptionValues } from '../tracer-options.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  ...ANSWER_OPTIONS,
  delay: { type: 'string', short: 'd' },
  number: { type: 'string', short: 'n' },
  record: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  function: TRACER_OPTIONS.function,
  buffer: TRACER_OPTIONS.buffer,
  ...EVENT_OPTIONS,
} as const;
/** Options that say what --record records. */
const OF_RECORDING = ['output', 'function', 'buffer', 'events'] as const;
const DEFAULT_OUTPUT = 'slow.dat';
/** Milliseconds of a turn that nobody has named. */
const DEFAULT_MS = 50;
const LEAST_MS = 10;

export const slow: Verb = {
  name: 'slow',
  synopsis: '[--pid PID] [-d SECONDS] [-n N] [--record [-l FUNC] [-e EVENT [-f FILTER]] [-b KB] [-o FILE]] [--all] [--json] [MS]',
  summary: 'say of every turn of the event loop that takes too long what it did, and where',
  options: OPTIONS,
  help: `MS: turns over so many milliseconds (${DEFAULT_MS}); at least ${LEAST_MS}.
Each turn is printed when it is over, with what began it, its functions, collections, and synchronous operations.
While turns are short it costs next to nothing: fentry's own thread looks at the stack only while a turn is too long.
A process without fentry is attached to for that time, and detached from at the end.

  -d SECONDS  end after so many seconds; otherwise with Ctrl-C, or with the process
  -n N        end after so many turns
${ANSWER_HELP}              with --json each turn is a line
  --record    save what the program did before each turn and in it, of the first ten: fentry report -i FILE shows it.
              Until then it overwrites the oldest records. It costs what the function tracer costs, or the events
  -l FUNC     with --record: these functions, as of fentry record; may be repeated. Without -l and -e, the application's
  -b KB       with --record: size of each thread's buffer, which has the last of what was recorded (1408)
  -o FILE     with --record: the recording of the first turn (${DEFAULT_OUTPUT}); further ones are slow-2.dat ...
${EVENT_HELP}
Examples: fentry slow --pid 4711 100
          fentry slow --record -n 1 200; fentry report -i slow.dat
`,
  async run(args) {
    const { values, words } = parseTracerOptions(args, OPTIONS);
    const [word, more] = words;
    if (more !== undefined) throw new UsageError(`slow takes one number of milliseconds: '${more}' is a second one`);
    const ms = word === undefined ? DEFAULT_MS : numberOption('MS', word, LEAST_MS);
    const seconds = values.delay === undefined ? undefined : numberOption('-d', values.delay, 1);
    const most = values.number === undefined ? undefined : numberOption('-n', values.number, 1);
    const lonely = OF_RECORDING.find((name) => values[name] !== undefined);
    if (!values.record && lonely !== undefined)
      throw new UsageError(`what is recorded belongs to --record: fentry slow --record`);
    const { client, pid } = await answeredProcess([], values.pid);
    const { function: functions, buffer, events } = values;
    const recorded = {
      file: values.output ?? DEFAULT_OUTPUT,
      options: { ...(functions && { function: functions }), ...(buffer && { buffer }), ...(events && { events }) },
    };
    const following = {
      seconds,
      most,
      json: values.json === true,
      all: values.all === true,
      ...(values.record && { recorded }),
    };
    if (client !== undefined) await follow(client, ms, following);
    else {
      // The inspector's client is large.
      const { whileAttached } = await import('../attach/while-attached.js');
      await whileAttached(pid, (attachedTo) => follow(attachedTo, ms, following));
    }
    return 0;
  },
};

/** What writes recordings is large. */
async function begunRecorder(client: TraceClient, { options, file }: NonNullable<Following['recorded']>): Promise<TurnRecorder> {
  const { TurnRecorder } = await import('../record/turn-recorder.js');
  return TurnRecorder.begin(client, options, file);
}

interface Following {
  readonly seconds: number | undefined;
  readonly most: number | undefined;
  readonly json: boolean;
  readonly all: boolean;
  /** Present if what was before turns is kept. */
  readonly recorded?: { readonly file: string; readonly options: TracerOptionValues };
}

/** Prints turns as they come. */
async function follow(client: TraceClient, ms: number, { seconds, most, json, all, recorded }: Following): Promise<void> {
  const { application } = JSON.parse(await client.read('answers/slow.json')) as SlowAnswer;
  const style = { ...answerStyle({ all }), folder: application };
  const end = new AbortController();
  const stop = (): void => end.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const timer = seconds === undefined ? undefined : setTimeout(() => end.abort(), seconds * 1000);
  let count = 0;
  let recorder: TurnRecorder | undefined;
  try {
    if (recorded !== undefined) recorder = await begunRecorder(client, recorded);
    const stream = await client.open(`answers/slow_pipes/${ms}`, end.signal);
    for await (const line of createInterface({ input: stream })) {
      const recording = await recorder?.save();
      const turn: SlowTurn = { ...(JSON.parse(line) as SlowTurn), ...(recording !== undefined && { recording }) };
      process.stdout.write(json ? `${JSON.stringify(turn)}\n` : `${turnText(turn, style).join('\n')}\n\n`);
      if (++count === most) break;
    }
    stream.destroy();
  } catch (error) {
    if (!end.signal.aborted && !isGone(error)) throw error;
    if (isGone(error)) complain(`process ${client.pid} has ended`);
  } finally {
    await recorder?.end();
    clearTimeout(timer);
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
  if (count === 0 && seconds !== undefined && !json) {
    process.stdout.write(`no turn of the event loop took more than ${ms} ms in ${seconds} s\n`);
  }
}
