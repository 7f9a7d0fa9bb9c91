import { pathToFileURL } from 'node:url';
import { encodeRequests } from '../../events/event-request.js';
import { CONVERTED_CLOCK } from '../../output/trace-dat/index.js';
import { TRACE_CLOCKS } from '../../ring-buffer/index.js';
import { numberOption } from '../arguments.js';
import { notOneOf } from '../nearest.js';
import { traceOptionWord } from '../trace-option-word.js';
import { minDuration, selectedFunctions, type TracerOptionValues, tracerOf } from '../tracer-options.js';
import { UsageError } from '../verb.js';
import { recordedClock } from './conversion-into.js';

/** KiB of each thread's buffer while it is recorded: what a busy thread writes while the control thread waits for a core. */
export const RECORD_BUFFER_KB = 32768;
const MAX_BUFFER_KB = 2 ** 22;

/** Tracers that record something; with events, there need not be one. */
const RECORDING_TRACERS: readonly string[] = ['function_graph', 'function'];
const EVENTS_TRACERS: readonly string[] = [...RECORDING_TRACERS, 'nop'];

/** The list parameters, and the option that fills each. */
const LISTS = [
  ['ftrace_filter', 'function'],
  ['ftrace_notrace', 'notrace'],
  ['ftrace_graph_filter', 'graph'],
  ['trace_options', 'option'],
] as const;

/** The words of -C. */
export const CLOCK_WORDS: readonly string[] = [...TRACE_CLOCKS, CONVERTED_CLOCK];

function clockName(word: string): string {
  if (CLOCK_WORDS.includes(word)) return recordedClock(word);
  throw new UsageError(`-C ${word}: ${notOneOf(word, CLOCK_WORDS)}`);
}

/** Words of -l for the code of modules outside of functions, which is named after the file. */
export const MODULES: readonly string[] = ['*.js', '*.cjs', '*.mjs', '*.ts', '*.cts', '*.mts', '*.jsx', '*.tsx'];

/** The value of FENTRY for a process that is recorded into `folder`; `inherited` is the present value of FENTRY. */
export function startParameters(options: TracerOptionValues, folder: string, inherited = ''): string {
  const buffer = options.buffer === undefined ? RECORD_BUFFER_KB : numberOption('-b', options.buffer, 1);
  if (buffer > MAX_BUFFER_KB) throw new UsageError(`-b ${buffer}: at most ${MAX_BUFFER_KB}`);
  const tracers = options.events === undefined ? RECORDING_TRACERS : EVENTS_TRACERS;
  const tracer = tracerOf(options);
  if (!tracers.includes(tracer)) throw new UsageError(`-p ${tracer}: ${notOneOf(tracer, tracers)}`);
  for (const word of options.option ?? []) traceOptionWord(word);
  const words = [`ftrace=${tracer}`, `trace_buf_size=${buffer}K`];
  // Where functions are named, files are not meant.
  if (RECORDING_TRACERS.includes(tracer) && (options.function === undefined || options.function === MODULES))
    words.push('module_sites');
  for (const [parameter, name] of LISTS) {
    const values = name === 'function' ? selectedFunctions(options) : options[name];
    if (values === undefined) continue;
    const odd = values.find((value) => value === '' || /[\s,]/.test(value));
    if (odd !== undefined) throw new UsageError(`'${odd}' cannot be a word of a control file`);
    words.push(`${parameter}=${values.join(',')}`);
  }
  if (options.clock !== undefined) words.push(`trace_clock=${clockName(options.clock)}`);
  const threshold = minDuration(options);
  if (threshold !== undefined) words.push(`tracing_thresh=${threshold}`);
  const depth = options['max-graph-depth'];
  if (depth !== undefined) words.push(`ftrace_graph_max_depth=${numberOption('--max-graph-depth', depth)}`);
  if (options.events !== undefined) words.push(`record_events=${encodeRequests(options.events)}`);
  return [inherited, ...words, `record=${pathToFileURL(folder).href}`].join(' ').trim();
}
