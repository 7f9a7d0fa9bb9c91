import type { TraceClient } from '../../client/trace-client.js';
import { PID_OPTION, parseOptions } from '../arguments.js';
import { print } from '../output.js';
import { targetOf } from '../target.js';
import type { Verb } from '../verb.js';

interface Row {
  readonly title: string;
  readonly path: string;
  /** A content that is not worth a line, as that of a filter that is off. */
  readonly dull?: RegExp;
}

const ROWS: readonly Row[] = [
  { title: 'Tracer', path: 'current_tracer' },
  { title: 'Tracing is', path: 'tracing_on' },
  { title: 'Function filter', path: 'set_ftrace_filter', dull: /^(#.*\n?)*$/ },
  { title: 'Function no filter', path: 'set_ftrace_notrace', dull: /^(#.*\n?)*$/ },
  { title: 'Graph functions', path: 'set_graph_function', dull: /^(#.*\n?)*$/ },
  { title: 'Graph no functions', path: 'set_graph_notrace', dull: /^(#.*\n?)*$/ },
  { title: 'Max graph depth', path: 'max_graph_depth', dull: /^0\n$/ },
  { title: 'Threshold (us)', path: 'tracing_thresh', dull: /^0\n$/ },
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

export const stat: Verb = {
  name: 'stat',
  synopsis: '[--pid PID]',
  summary: 'say what is being traced, and how full the buffers are',
  help: '',
  async run(args) {
    const client = await targetOf(parseOptions(args, PID_OPTION).values);
    for (const { title, path, dull } of ROWS) {
      const text = await client.read(path);
      if (dull?.test(text)) continue;
      print(section(title, path === 'tracing_on' ? (text.trim() === '1' ? 'on' : 'off') : text));
    }
    print(await buffers(client));
    return 0;
  },
};
