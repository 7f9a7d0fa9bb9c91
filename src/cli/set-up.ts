import { TraceError } from '../base/errno.js';
import { isPlain } from '../base/glob.js';
import type { TraceClient } from '../client/trace-client.js';
import { optionWrite } from '../ftrace/option-word.js';
import { numberOption } from './arguments.js';
import { functionNames } from './function-names.js';
import { didYouMean } from './nearest.js';
import { complain } from './output.js';
import { askForEvents, eventsOf, namedEvents, resetEvents } from './process-events.js';
import { recordedClock } from './record/conversion-into.js';
import { traceOptionWord } from './trace-option-word.js';
import { DEFAULT_TRACER, minDuration, selectedFunctions, type TracerOptionValues, tracerOf } from './tracer-options.js';
import { writeFile } from './write-file.js';

/** The filter files, and the option that fills each. */
const FILTERS = [
  ['set_ftrace_filter', 'function'],
  ['set_ftrace_notrace', 'notrace'],
  ['set_graph_function', 'graph'],
] as const;

/** The files of a directory: an instance does not have all files of the top level. */
async function filesOf(client: TraceClient): Promise<ReadonlySet<string>> {
  return new Set((await client.list('')).map(({ name }) => name));
}

/** Adds a word to a filter; if it matches nothing, the error has the name that was probably meant. */
async function addToFilter(client: TraceClient, path: string, word: string): Promise<void> {
  try {
    await writeFile(client, path, word, true);
  } catch (error) {
    if (!(error instanceof TraceError) || error.errno !== 'EINVAL' || !isPlain(word)) throw error;
    throw new TraceError('EINVAL', `${error.message}${didYouMean(word, await functionNames(client))}`);
  }
}

/** Writes a word that must be one of those that a file lists, the current one in brackets; an error lists them. */
async function writeListed(client: TraceClient, path: string, word: string, listing: string): Promise<void> {
  try {
    await writeFile(client, path, word);
  } catch (error) {
    const known = (await client.read(listing))
      .trim()
      .split(' ')
      .map((one) => one.replace(/[[\]]/g, ''));
    if (!(error instanceof TraceError) || known.includes(word)) throw error;
    throw new TraceError(error.errno, `${error.message}; there are ${known.join(', ')}${didYouMean(word, known)}`);
  }
}

/** A line of set_ftrace_filter that is a command: `handle:traceoff:count=3`. */
const COMMAND_LINE = /^.+:(\w+):(?:unlimited|(count)=\d+)$/gm;

/** Removes the commands from set_ftrace_filter: emptying the file keeps them. */
async function removeCommands(client: TraceClient): Promise<void> {
  const lines = (await client.read('set_ftrace_filter')).matchAll(COMMAND_LINE);
  const removals = new Set(Array.from(lines, ([, command, count]) => `!*:${command}${count === undefined ? '' : ':0'}`));
  for (const removal of removals) await writeFile(client, 'set_ftrace_filter', removal, true);
}

/** Sets a trace option by its word in trace_options: `name` or `noname`. */
async function setOption(client: TraceClient, word: string): Promise<void> {
  const { path, text } = optionWrite(word);
  await writeFile(client, path, text);
}

/**
 * Sets up tracing through the control files and turns it on, as `trace-cmd start` does.
 * @param fallback the tracer if the options name none, but ask for functions
 */
export async function startTracing(client: TraceClient, options: TracerOptionValues, fallback = DEFAULT_TRACER): Promise<void> {
  const depth = options['max-graph-depth'];
  const threshold = minDuration(options);
  // Checked first, so that a misspelt word changes nothing.
  for (const word of options.option ?? []) traceOptionWord(word);
  const events = namedEvents(options.events ?? [], await eventsOf(client));
  const selected = { ...options, function: selectedFunctions(options) ?? [] };
  const files = await filesOf(client);
  await writeFile(client, 'tracing_on', '0');
  await writeFile(client, 'current_tracer', 'nop');
  await writeFile(client, 'set_event', '');
  await writeFile(client, 'trace', '');
  if (options.buffer !== undefined) await writeFile(client, 'buffer_size_kb', String(numberOption('-b', options.buffer, 1)));
  for (const [path, name] of FILTERS) {
    if (files.has(path)) await writeFile(client, path, '');
    for (const word of selected[name] ?? []) await addToFilter(client, path, word);
  }
  const maxDepth = depth === undefined ? 0 : numberOption('--max-graph-depth', depth);
  if (files.has('max_graph_depth')) await writeFile(client, 'max_graph_depth', String(maxDepth));
  if (threshold !== undefined) await writeFile(client, 'tracing_thresh', String(threshold));
  await writeListed(client, 'current_tracer', tracerOf(options, fallback), 'available_tracers');
  if (options.clock !== undefined) await writeListed(client, 'trace_clock', recordedClock(options.clock), 'trace_clock');
  for (const word of options.option ?? []) await setOption(client, word);
  await askForEvents(client, events);
  await writeFile(client, 'tracing_on', '1');
}

const BREAKPOINT_ERROR = /^\[.*\] breakpoints: error: (.*)$/gm;

/**
 * Runs `change`, then prints on stderr what error_log says about functions that were loaded before fentry: they are traced only
 * if they are named.
 */
export async function withBreakpointWarnings(client: TraceClient, change: () => Promise<void>): Promise<void> {
  const known = await client.read('error_log');
  await change();
  for (const [line, message] of (await client.read('error_log')).matchAll(BREAKPOINT_ERROR)) {
    if (!known.includes(line)) complain(message!);
  }
}

/** The contents of a fresh process, in the files that `start` and other verbs write. */
const FRESH = [
  ['set_ftrace_filter', ''],
  ['set_ftrace_notrace', ''],
  ['set_ftrace_pid', ''],
  ['set_ftrace_notrace_pid', ''],
  ['set_graph_function', ''],
  ['set_graph_notrace', ''],
  ['max_graph_depth', '0'],
  ['tracing_thresh', '0'],
  ['tracing_max_latency', '0'],
  ['function_profile_enabled', '0'],
  ['stack_tracer_enabled', '0'],
  ['trace_clock', 'local'],
] as const;

/**
 * Turns everything off and resets it to the state of a fresh process, except trace options, the cpumask and the buffers' size.
 */
export async function resetTracing(client: TraceClient): Promise<void> {
  const files = await filesOf(client);
  await writeFile(client, 'tracing_on', '0');
  await writeFile(client, 'current_tracer', 'nop');
  if (files.has('set_ftrace_filter')) await removeCommands(client);
  await resetEvents(client);
  for (const [path, text] of FRESH) if (files.has(path)) await writeFile(client, path, text);
  await writeFile(client, 'trace', '');
  await writeFile(client, 'tracing_on', '1');
}
