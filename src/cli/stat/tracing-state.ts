import type { TraceClient } from '../../client/trace-client.js';
import { print } from '../output.js';
import { eventsOf, eventText } from '../process-events.js';

interface Row {
  readonly title: string;
  readonly path: string;
  /** A content that is not shown, such as that of an empty filter. */
  readonly dull?: RegExp;
}

const ROWS: readonly Row[] = [
  { title: 'Tracer', path: 'current_tracer' },
  { title: 'Tracing is', path: 'tracing_on' },
  { title: 'Function filter', path: 'set_ftrace_filter', dull: /^(#.*\n?)*$/ },
  { title: 'Function no filter', path: 'set_ftrace_notrace', dull: /^(#.*\n?)*$/ },
  { title: 'Graph functions', path: 'set_graph_function', dull: /^(#.*\n?)*$/ },
  { title: 'Graph no functions', path: 'set_graph_notrace', dull: /^(#.*\n?)*$/ },
  { title: 'Pids', path: 'set_ftrace_pid', dull: /^no pid\n$/ },
  { title: 'No pids', path: 'set_ftrace_notrace_pid', dull: /^no pid\n$/ },
  { title: 'Function profiler', path: 'function_profile_enabled', dull: /^0\n$/ },
  { title: 'Stack tracer', path: 'stack_tracer_enabled', dull: /^0\n$/ },
  { title: 'Max graph depth', path: 'max_graph_depth', dull: /^0\n$/ },
  { title: 'Threshold (us)', path: 'tracing_thresh', dull: /^0\n$/ },
  { title: 'Events', path: 'set_event', dull: /^$/ },
  { title: 'Clock source', path: 'trace_clock_source', dull: /^counter\n$/ },
  { title: 'Buffer size (KB a thread)', path: 'buffer_size_kb' },
  { title: 'Buffer total size (KB)', path: 'buffer_total_size_kb' },
];

/** Several lines are indented below their title. */
function section(title: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  return lines.length === 1 ? `${title}: ${lines[0]}\n` : `${title}:\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

async function buffers(client: TraceClient): Promise<string> {
  let text = '';
  for (const { name } of await client.list('per_cpu')) text += section(name, await client.read(`per_cpu/${name}/stats`));
  return text;
}

/** The filters, or the triggers, of all events that have any. */
async function ofEvents(client: TraceClient, title: string, file: 'filter' | 'trigger'): Promise<string> {
  let lines = '';
  for (const event of await eventsOf(client)) {
    const text = await eventText(client, event, file);
    if (text !== '') lines += text.replace(/^(?=.)/gm, `    ${event.system}:${event.name} `);
  }
  return lines === '' ? '' : `${title}:\n${lines}`;
}

/** Prints what is being traced, and how full the buffers are, as `trace-cmd stat` does. */
export async function printTracingState(client: TraceClient): Promise<void> {
  const files = new Set((await client.list('')).map(({ name }) => name));
  for (const { title, path, dull } of ROWS) {
    if (!files.has(path)) continue;
    const text = await client.read(path);
    if (dull?.test(text)) continue;
    print(section(title, path === 'tracing_on' ? (text.trim() === '1' ? 'on' : 'off') : text));
  }
  print(await ofEvents(client, 'Event filters', 'filter'));
  print(await ofEvents(client, 'Event triggers', 'trigger'));
  print(await buffers(client));
}
