import { type Caller, O_WRONLY_APPEND, type TraceDirectory } from '../tracefs/node.js';
import { lookup } from '../tracefs/path.js';
import type { Parameters } from './parameters.js';

/** The parameter, the control file that it is written to, and the words as that file wants them; in the order of writing. */
const WRITES: readonly (readonly [keyof Parameters, string, (value: never) => readonly string[]])[] = [
  ['trace_buf_size', 'buffer_size_kb', (bytes: number) => [String(Math.ceil(bytes / 1024))]],
  ['trace_clock', 'trace_clock', (clock: string) => [clock]],
  ['ftrace_filter', 'set_ftrace_filter', (words: readonly string[]) => words],
  ['ftrace_notrace', 'set_ftrace_notrace', (words: readonly string[]) => words],
  ['ftrace_graph_filter', 'set_graph_function', (words: readonly string[]) => words],
  ['ftrace_graph_notrace', 'set_graph_notrace', (words: readonly string[]) => words],
  ['ftrace_graph_max_depth', 'max_graph_depth', (depth: number) => [String(depth)]],
  ['tracing_thresh', 'tracing_thresh', (microseconds: number) => [String(microseconds)]],
  ['trace_options', 'options', (words: readonly string[]) => words],
  ['ftrace', 'current_tracer', (tracer: string) => [tracer]],
];

const KERNEL: Caller = { pid: 0, comm: 'swapper' };

/** Writes what FENTRY asks for to the control files, as anybody could. Returns what was refused, in words. */
export async function applyParameters(root: TraceDirectory, parameters: Parameters): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const [name, path, wordsOf] of WRITES) {
    const value = parameters[name];
    if (value === undefined) continue;
    for (const word of wordsOf(value as never)) {
      try {
        // Not the file trace_options, which takes the options of the current tracer only, and it is set last.
        const option = path === 'options' && /^(no)?(.+)$/.exec(word);
        if (option) await append(root, `options/${option[2]}`, option[1] ? '0' : '1');
        else await append(root, path, word);
      } catch (error) {
        refused.push(`${name}=${word}: ${(error as Error).message}`);
      }
    }
  }
  return refused;
}

async function append(root: TraceDirectory, path: string, word: string): Promise<void> {
  const file = lookup(root, path);
  if (file.kind !== 'file') return;
  const handle = await file.open(O_WRONLY_APPEND, KERNEL);
  try {
    await handle.write(Buffer.from(`${word}\n`));
  } finally {
    await handle.release();
  }
}
