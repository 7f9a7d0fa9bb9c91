import { TraceError } from '../base/errno.js';
import type { TraceClient } from '../client/trace-client.js';
import { optionWrite } from '../core/option-word.js';
import { numberOption } from './arguments.js';
import { DEFAULT_TRACER, type TracerOptions } from './tracer-options.js';

/** The filter files, and the option that fills each. */
const FILTERS = [
  ['set_ftrace_filter', 'function'],
  ['set_ftrace_notrace', 'notrace'],
  ['set_graph_function', 'graph'],
] as const;

/** Writes to a file; an error says which file and which word. */
export async function writeFile(client: TraceClient, path: string, text: string, append = false): Promise<void> {
  try {
    await (append ? client.append(path, `${text}\n`) : client.write(path, `${text}\n`));
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    if (error.errno === 'ETIMEDOUT') {
      // A thread is blocked: what was written holds in the others, and there as soon as it runs again.
      process.stderr.write(`fentry: ${path}: ${error.message}\n`);
      return;
    }
    throw new TraceError(error.errno, `${text === '' ? 'clearing' : `writing '${text}' to`} ${path}: ${error.message}`);
  }
}

/** Sets a trace option by its word in trace_options: `name` or `noname`. */
async function setOption(client: TraceClient, word: string): Promise<void> {
  const { path, text } = optionWrite(word);
  await writeFile(client, path, text);
}

/** Sets up tracing through the control files and turns it on, as `trace-cmd start` does. */
export async function startTracing(client: TraceClient, options: TracerOptions): Promise<void> {
  const depth = options['max-graph-depth'];
  await writeFile(client, 'tracing_on', '0');
  await writeFile(client, 'current_tracer', 'nop');
  await writeFile(client, 'trace', '');
  if (options.buffer !== undefined) await writeFile(client, 'buffer_size_kb', String(numberOption('-b', options.buffer, 1)));
  for (const [path, name] of FILTERS) {
    await writeFile(client, path, '');
    for (const word of options[name] ?? []) await writeFile(client, path, word, true);
  }
  if (depth !== undefined) await writeFile(client, 'max_graph_depth', String(numberOption('--max-graph-depth', depth)));
  await writeFile(client, 'current_tracer', options.tracer ?? DEFAULT_TRACER);
  for (const word of options.option ?? []) await setOption(client, word);
  await writeFile(client, 'tracing_on', '1');
}

const BREAKPOINT_ERROR = /^\[.*\] breakpoints: error: (.*)$/gm;

/**
 * Runs `change`, then says on stderr what the process has to say of it about functions that it had loaded before fentry: they
 * are not traced unless they are named.
 */
export async function withBreakpointWarnings(client: TraceClient, change: () => Promise<void>): Promise<void> {
  const known = await client.read('error_log');
  await change();
  for (const [line, message] of (await client.read('error_log')).matchAll(BREAKPOINT_ERROR)) {
    if (!known.includes(line)) process.stderr.write(`fentry: ${message}\n`);
  }
}

/** Turns everything off and sets it back to what a fresh process has. */
export async function resetTracing(client: TraceClient): Promise<void> {
  await writeFile(client, 'tracing_on', '0');
  await writeFile(client, 'current_tracer', 'nop');
  for (const [path] of [...FILTERS, ['set_graph_notrace']] as const) await writeFile(client, path, '');
  await writeFile(client, 'max_graph_depth', '0');
  await writeFile(client, 'tracing_thresh', '0');
  await writeFile(client, 'trace', '');
  await writeFile(client, 'tracing_on', '1');
}
