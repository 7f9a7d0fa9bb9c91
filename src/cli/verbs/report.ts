import { parseOptionWord } from '../../core/option-word.js';
import {
  fdSink,
  report as printReport,
  type ReportOptions,
  reportAsTrace,
  type TraceFormatOptions,
} from '../../output/trace-dat/index.js';
import { numberOption, parseOptions } from '../arguments.js';
import { throughPager } from '../pager.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  input: { type: 'string', short: 'i' },
  time: { type: 'boolean', short: 't' },
  latency: { type: 'boolean', short: 'l' },
  trace: { type: 'boolean' },
  cpu: { type: 'string', multiple: true },
  option: { type: 'string', short: 'O', multiple: true },
} as const;

/** The words of -O, and what each means to the report. */
const WORDS: Readonly<Record<string, ReportOptions>> = {
  tailprint: { tailprint: true },
  'tailprint=1': { tailprint: true },
  depth: { depth: true },
  'depth=1': { depth: true },
  parent: { parent: true },
  'parent=1': { parent: true },
  'indent=0': { indent: false },
  'extras=0': { extras: false },
};

/** The options that -O gives, trace-cmd's prefixes (`fgraph:`, `ftrace:`) allowed. */
function wordOptions(words: readonly string[]): ReportOptions {
  let options: ReportOptions = {};
  for (const word of words) {
    const known = WORDS[word.replace(/^(fgraph|ftrace):/, '')];
    if (known === undefined) throw new UsageError(`-O ${word}: unknown; known are ${Object.keys(WORDS).join(', ')}`);
    options = { ...options, ...known };
  }
  return options;
}

/** The trace options that -O gives for --trace: `funcgraph-tail`, `nofuncgraph-duration`. */
function traceOptions(words: readonly string[]): TraceFormatOptions['options'] {
  const options: Record<string, boolean> = {};
  for (const word of words) {
    const parsed = parseOptionWord(word);
    if (parsed === undefined) throw new UsageError(`-O ${word}: there is no such trace option`);
    options[parsed.name] = parsed.on;
  }
  return options;
}

export const report: Verb = {
  name: 'report',
  synopsis: '[-i FILE] [-t] [-l] [--cpu N] [-O OPTION] [--trace]',
  summary: 'print a recording',
  help: `  -i FILE     the recording (trace.dat)
  -t          nanoseconds
  -l          the latency format's columns
  --cpu N     only this cpu; may be repeated
  -O OPTION   ${Object.keys(WORDS)
    .filter((word) => !word.endsWith('=1'))
    .join(', ')}
  --trace     as the file trace prints it; -O then gives its options (funcgraph-tail, nofuncgraph-duration)
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    if (words.length > 1) throw new UsageError('one recording at a time');
    const cpus = values.cpu?.map((cpu) => numberOption('--cpu', cpu));
    const file = values.input ?? words[0] ?? 'trace.dat';
    const set = values.option ?? [];
    const onCpus = cpus && { cpus: new Set(cpus) };
    const normal: ReportOptions = {
      ...(!values.trace && wordOptions(set)),
      ...(values.time && { nanoseconds: true }),
      ...(values.latency && { latency: true }),
      ...onCpus,
    };
    const asTrace: TraceFormatOptions | undefined = values.trace
      ? {
          options: { ...traceOptions(set), ...(values.latency && { 'latency-format': true }) },
          ...onCpus,
        }
      : undefined;
    const paged = throughPager();
    if (paged !== undefined) return paged;
    const sink = fdSink(1);
    const { warnings } = asTrace === undefined ? printReport(file, normal, sink) : reportAsTrace(file, asTrace, sink);
    for (const warning of warnings) process.stderr.write(`fentry report: ${warning}\n`);
    return 0;
  },
};
