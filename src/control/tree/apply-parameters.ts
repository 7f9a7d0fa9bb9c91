import type { EventRequest } from '../../events/event-request.js';
import { optionWrite } from '../../ftrace/option-word.js';
import type { DumpOnOops, Parameters } from '../../port/parameters.js';
import { one, onOff, type ParameterWrites, words } from '../tracefs/feature.js';
import type { TraceDirectory } from '../tracefs/node.js';
import { mkdir } from '../tracefs/path.js';
import { appendTo } from '../tracefs/read-write.js';
import { FEATURES } from './features.js';

/** The control files that each parameter is written to, in the order of writing. */
const WRITES: readonly ParameterWrites[] = [
  ['trace_buf_size', one('buffer_size_kb', (bytes: number) => String(Math.ceil(bytes / 1024)))],
  ['trace_clock', one('trace_clock')],
  ['ftrace_filter', words('set_ftrace_filter')],
  ['ftrace_notrace', words('set_ftrace_notrace')],
  ['ftrace_graph_filter', words('set_graph_function')],
  ['ftrace_graph_notrace', words('set_graph_notrace')],
  ['ftrace_graph_max_depth', one('max_graph_depth')],
  ['max_text_size', one('max_text_size')],
  ['tracing_thresh', one('tracing_thresh')],
  ['trace_options', (list: readonly string[]) => list.map(optionWrite)],
  ['ftrace_dump_on_oops', one('ftrace_dump_on_oops', ({ isOrigCpu }: DumpOnOops) => (isOrigCpu ? '2' : '1'))],
  ['traceoff_on_warning', onOff('traceoff_on_warning')],
  ['tp_printk', onOff('tracepoint_printk')],
  ['alloc_snapshot', (on: boolean) => (on ? [{ path: 'snapshot', text: '1' }] : [])],
  ...FEATURES.flatMap(({ parameters = [] }) => parameters),
  ['ftrace', one('current_tracer')],
];

/**
 * Writes the settings of FENTRY to the control files. Returns a message for each that was refused.
 * @param askFor is called with what is asked of the events of an instance, whose directory is `folder`
 */
export async function applyParameters(
  root: TraceDirectory,
  parameters: Parameters,
  askFor: (folder: string, requests: readonly EventRequest[]) => void,
): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const { name, events } of parameters.trace_instance ?? []) {
    try {
      await mkdir(root, `instances/${name}`);
      askFor(`instances/${name}/`, events);
    } catch (error) {
      refused.push(`trace_instance=${name}: ${(error as Error).message}`);
    }
  }
  for (const [name, writesOf] of WRITES) {
    const value = parameters[name];
    if (value === undefined) continue;
    const values = Array.isArray(value) ? value.map((word) => [word]) : [value];
    for (const part of values) {
      try {
        for (const { path, text } of writesOf(part as never)) await appendTo(root, path, text);
      } catch (error) {
        refused.push(`${name}=${part}: ${(error as Error).message}`);
      }
    }
  }
  // The triggers of an event act on the events that are on by then.
  askFor('', [...(parameters.trace_event ?? []), ...(parameters.trace_trigger ?? []), ...(parameters.record_events ?? [])]);
  return refused;
}
