import { connectTo } from '../../client/processes.js';
import { numberOption, PID_OPTION, parseOptions } from '../arguments.js';
import { GraphUse } from '../calls/graph-use.js';
import { WholeCalls } from '../calls/whole-calls.js';
import { isGone } from '../is-gone.js';
import { complain } from '../output.js';
import { personSink } from '../person-sink.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  delay: { type: 'string', short: 'd' },
  number: { type: 'string', short: 'n' },
  all: { type: 'boolean' },
} as const;
const DEFAULT_SECONDS = 10;

export const calls: Verb = {
  name: 'calls',
  synopsis: '[--pid PID] [-n N] [-d SECONDS] [--all] FUNCTION',
  summary: 'print the next call of a function: its arguments, what it calls, what they return, and their times',
  options: OPTIONS,
  help: `FUNCTION: its name, as fentry list -f has it; * ? [] as in a shell.
The tracer function_graph runs until then, and all settings are as before afterwards.

  -n N        print the next N calls (1)
  -d SECONDS  wait so long for them (${DEFAULT_SECONDS})
  --all       show all functions that are called; without it those of the application

Example: fentry calls --pid 4711 renderPage
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [func, more] = words;
    if (func === undefined) throw new UsageError('calls takes the name of a function');
    if (more !== undefined) throw new UsageError(`calls takes one function: '${more}' is a second one`);
    if (/^\d+$/.test(func)) throw new UsageError(`'${func}' names no function; a process is chosen with --pid ${func}`);
    const most = values.number === undefined ? 1 : numberOption('-n', values.number, 1);
    const seconds = values.delay === undefined ? DEFAULT_SECONDS : numberOption('-d', values.delay, 1);
    const client = await connectTo(values.pid === undefined ? undefined : numberOption('--pid', values.pid, 1), complain);
    const end = new AbortController();
    const stop = (): void => end.abort();
    process.once('SIGINT', stop).once('SIGTERM', stop);
    const use = await GraphUse.take(client, func, values.all === true);
    const timer = setTimeout(stop, seconds * 1000);
    try {
      const found = await follow(use, most, end.signal);
      if (found === 0) complain(`no call of ${func} was over within ${seconds} s`);
      return found === 0 ? 1 : 0;
    } finally {
      clearTimeout(timer);
      process.off('SIGINT', stop).off('SIGTERM', stop);
      await use.release();
    }
  },
};

/** Prints calls until there are so many, or `end` aborts; returns how many were over. */
async function follow(use: GraphUse, most: number, end: AbortSignal): Promise<number> {
  const whole = new WholeCalls();
  const sink = personSink({ write: (bytes) => process.stdout.write(bytes) || true }, false);
  try {
    for await (const line of use.lines(end)) {
      if (whole.shows(line)) sink.write(Buffer.from(`${line}\n`));
      if (whole.count >= most) break;
    }
  } catch (error) {
    if (!isGone(error)) throw error;
    complain('the process has ended');
  }
  sink.end();
  return whole.count;
}
