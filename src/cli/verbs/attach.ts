import { TraceError } from '../../base/errno.js';
import type { TraceClient } from '../../client/trace-client.js';
import { LOADED_BEFORE } from '../../ftrace/text.js';
import { numberOption, parseOptions } from '../arguments.js';
import { print } from '../output.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  pid: { type: 'string', short: 'P' },
  timeout: { type: 'string', short: 't' },
  native: { type: 'boolean' },
} as const;
const DEFAULT_SECONDS = 10;
const UNNAMED =
  'functions were loaded before: name them with -l, or in set_ftrace_filter, to trace them by breakpoints, at some 100 microseconds a call';

/** The process that a verb names in a word or by --pid. */
export function pidOf(words: readonly string[], option: string | undefined): number {
  const [word = option, ...others] = words;
  if (word === undefined || others.length > 0) throw new UsageError('name one process by its id');
  return numberOption('PID', word, 1);
}

async function functionsLoadedBefore(client: TraceClient): Promise<number> {
  const text = await client.read('functions_without_sites');
  return text.split('\n').filter((line) => line.endsWith(`\t${LOADED_BEFORE}`)).length;
}

async function attachToNative(pid: number): Promise<number> {
  const { attachNative } = await import('../attach/attach-native.js');
  try {
    print(`attached to process ${pid}: ${await attachNative(pid)}\n`);
  } catch (error) {
    if (!(error instanceof TraceError) || error.errno !== 'EEXIST') throw error;
    print(`${error.message}\n`);
  }
  return 0;
}

/** What each of the two needs is loaded when it is: the inspector's client is large. */
async function attachToNode(pid: number, seconds: number): Promise<number> {
  const [{ attachProcess }, { Deadline }, { TraceClient }] = await Promise.all([
    import('../attach/attach-process.js'),
    import('../attach/deadline.js'),
    import('../../client/trace-client.js'),
  ]);
  try {
    const { socket, warning } = await attachProcess(pid, new Deadline(seconds * 1000));
    print(`attached to process ${pid}: ${socket}\n`);
    if (warning !== undefined) process.stderr.write(`fentry: ${warning}\n`);
    const before = await functionsLoadedBefore(new TraceClient(pid, socket));
    if (before > 0) process.stderr.write(`fentry: ${before} ${UNNAMED}\n`);
  } catch (error) {
    if (!(error instanceof TraceError) || error.errno !== 'EEXIST') throw error;
    print(`${error.message}\n`);
  }
  return 0;
}

export const attach: Verb = {
  name: 'attach',
  synopsis: '[--native] [--timeout SECONDS] PID',
  summary: 'load fentry into a process that was started without it',
  options: OPTIONS,
  help: `The process may be idle, busy or in an endless loop. SIGUSR1 opens its inspector on 127.0.0.1 for a moment.
Modules that it loads from now on have sites. Functions that it has already loaded are
traced by breakpoints, which are slow: name these functions in set_ftrace_filter.

  --native               any process on x86-64 or arm64: trace its machine code, C and C++, not JavaScript;
                         nothing is loaded into it
  -t, --timeout SECONDS  how long the process has to answer (${DEFAULT_SECONDS})

Example: fentry attach 4711; fentry start -p function -l 'handle*'; fentry show; fentry detach 4711
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const pid = pidOf(words, values.pid);
    if (values.native) return attachToNative(pid);
    const seconds = values.timeout === undefined ? DEFAULT_SECONDS : numberOption('--timeout', values.timeout, 1);
    return attachToNode(pid, seconds);
  },
};
