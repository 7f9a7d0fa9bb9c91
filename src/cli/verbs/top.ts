import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerStyle } from '../../answers/answer.js';
import { answerJson } from '../../answers/answer.js';
import { topText } from '../../answers/top/top-text.js';
import { chosenProcess, type TraceableProcess } from '../../client/processes.js';
import { TraceClient } from '../../client/trace-client.js';
import { ANSWER_OPTIONS, answerStyle } from '../answer-output.js';
import { numberOption, PID_OPTION, parseOptions } from '../arguments.js';
import { isGone } from '../is-gone.js';
import { notOneOf } from '../nearest.js';
import { complain } from '../output.js';
import { allocSeconds, allocTop } from '../top/alloc-top.js';
import { liveTop } from '../top/live-top.js';
import { ProcessTop } from '../top/process-top.js';
import { ORDERS, type Order } from '../top/profile-rows.js';
import { ProfilerUse } from '../top/profiler-use.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  sort: { type: 'string', short: 's' },
  number: { type: 'string', short: 'n' },
  delay: { type: 'string', short: 'd' },
  once: { type: 'boolean' },
  alloc: { type: 'boolean' },
  ...ANSWER_OPTIONS,
} as const;

/** Functions of a table that is printed once. */
const PRINTED = 20;
/** What a table that is printed once may have: nothing is cut. */
const PAPER = { columns: 1000, rows: Number.POSITIVE_INFINITY } as const;

const ORDER_NAMES = Object.keys(ORDERS) as readonly Order[];

function orderOf(word = 'time'): Order {
  const order = ORDER_NAMES.find((one) => one === word);
  if (order === undefined) throw new UsageError(`-s ${word}: ${notOneOf(word, ORDER_NAMES)}`);
  return order;
}

function secondsOf(word = '1'): number {
  const seconds = Number(word);
  if (!/^\d+(\.\d+)?$/.test(word) || seconds < 0.1 || seconds > 3600)
    throw new UsageError(`-d must be seconds from 0.1 to 3600, not '${word}'`);
  return seconds;
}

export const top: Verb = {
  name: 'top',
  synopsis: '[--pid PID] [-s calls | time | self] [-n N] [-d SECONDS] [--alloc] [--once] [--all] [--json] [PATTERN]',
  summary: 'show the functions that are called most, or take most time, while the process runs',
  options: OPTIONS,
  help: `  -s ORDER     calls, time, or self (time without that of the functions inside); the default is time
  -n N         show so many functions
  -d SECONDS   measure and show again after so many seconds (1)
  --alloc      show the functions that allocate memory instead, as fentry alloc does: each reading takes 2 s, or as -d says
  --once       print one table and end; so too if the output is no terminal
  --all        show all functions; without it one line sums up those that are not the application's
  --json       print one table as data, as docs/json.md describes it, and end

PATTERN chooses functions, as -l of fentry start does: 'handle*', '*:mod:express', '*:mod:!*' for the application's own.
The module is the function's package; * where several packages have functions of this name.
On the terminal: q quits, c sorts by calls, t by time, s by self time; a shows all functions, or the application's.
The function profiler counts. It is switched off again at the end, and its settings are what they were.

Example: fentry top --pid 4711 '*:mod:!*'
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [pattern, more] = words;
    if (more !== undefined) throw new UsageError(`top takes one pattern: '${more}' is a second one`);
    if (pattern !== undefined && /^\d+$/.test(pattern))
      throw new UsageError(`'${pattern}' names no function; a process is chosen with --pid ${pattern}`);
    const { pid, number, once } = values;
    if (values.alloc) return showAllocations(values, pattern);
    const order = orderOf(values.sort);
    const seconds = secondsOf(values.delay);
    const most = number === undefined ? undefined : numberOption('-n', number, 1);
    const target = await targetOf(pid);
    try {
      // Who names functions wants to see those.
      const style = answerStyle({ all: values.all === true || pattern !== undefined });
      const isJson = values.json === true;
      await show(target, { pattern, order, seconds, most, style, isJson, once: once ?? (isJson || !process.stdout.isTTY) });
    } catch (error) {
      if (!isGone(error)) throw error;
      complain(`process ${target.pid} has ended`);
    }
    return 0;
  },
};

const targetOf = (pid: string | undefined): Promise<TraceableProcess> =>
  chosenProcess(pid === undefined ? undefined : numberOption('--pid', pid, 1), complain);

/** The words of the command line. */
type TopValues = ReturnType<typeof parseOptions<typeof OPTIONS>>['values'];

/** `--alloc`. @throws UsageError for what only the function profiler has */
async function showAllocations(values: TopValues, pattern: string | undefined): Promise<number> {
  const { pid, sort, number, delay, once, json: isJson = false } = values;
  if (pattern !== undefined || sort !== undefined || number !== undefined)
    throw new UsageError('--alloc takes no PATTERN, -s or -n: on the terminal, k and t sort');
  const seconds = allocSeconds(delay);
  const target = await targetOf(pid);
  const client = new TraceClient(target.pid, target.socketPath);
  try {
    await allocTop(client, { seconds, style: answerStyle(values), isJson, once: once ?? (isJson || !process.stdout.isTTY) });
  } catch (error) {
    if (!isGone(error)) throw error;
    complain(`process ${target.pid} has ended`);
  }
  return 0;
}

interface TopOptions {
  readonly pattern: string | undefined;
  readonly order: Order;
  readonly seconds: number;
  readonly most: number | undefined;
  readonly once: boolean;
  readonly style: AnswerStyle;
  readonly isJson: boolean;
}

/** Shows the table, once or until the user ends it. ENODEV if the process has ended. */
async function show(target: TraceableProcess, { pattern, order, seconds, most, once, style, isJson }: TopOptions): Promise<void> {
  const client = new TraceClient(target.pid, target.socketPath);
  const use = await ProfilerUse.take(client, pattern, order);
  const functions = new ProcessTop(client, target, use, pattern);
  try {
    if (once) {
      await functions.begin();
      await sleep(seconds * 1000);
      const answer = await functions.next(order);
      if (isJson) process.stdout.write(answerJson(answer));
      else process.stdout.write(`${topText(answer, PAPER, most ?? PRINTED, style).join('\n')}\n`);
      return;
    }
    const ordered = (wanted: Order): Promise<void> => use.setOrder(wanted);
    await liveTop(functions, { order, seconds, most: most ?? Number.POSITIVE_INFINITY, style, ordered, ended: use.processEnded });
  } finally {
    const stopped = await use.release();
    if (stopped !== undefined) complain(`process ${target.pid} ${stopped}; then it gets its settings back`);
  }
}
