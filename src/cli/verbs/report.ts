import { parseOptionWord } from '../../core/option-word.js';
import {
  fdSink,
  PROFILE_ORDERS,
  type ProfileOrder,
  printProfile,
  report as printReport,
  type ReportOptions,
  type ReportSink,
  reportAsTrace,
  type TraceFormatOptions,
} from '../../output/trace-dat/index.js';
import { type OptionValues, parseOptions } from '../arguments.js';
import { throughPager } from '../pager.js';
import { INPUT_HELP, INPUT_OPTIONS, recordingInput } from '../recording-input.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...INPUT_OPTIONS,
  time: { type: 'boolean', short: 't' },
  latency: { type: 'boolean', short: 'l' },
  trace: { type: 'boolean' },
  profile: { type: 'boolean' },
  sort: { type: 'string' },
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

const ORDERS = Object.keys(PROFILE_ORDERS) as ProfileOrder[];

function profileOrder(word = 'total'): ProfileOrder {
  const order = ORDERS.find((one) => one === word);
  if (order === undefined) throw new UsageError(`--sort ${word}: must be one of ${ORDERS.join(', ')}`);
  return order;
}

/** What the options ask for, as a function that prints it and returns its warnings. UsageError where they contradict. */
function printerOf(
  { option = [], time, latency, trace, profile, sort }: OptionValues<typeof OPTIONS>,
  cpus: ReadonlySet<number> | undefined,
): (file: string, sink: ReportSink) => readonly string[] {
  const onCpus = cpus && { cpus };
  if (trace && profile) throw new UsageError('--trace and --profile are two reports: ask for one');
  if (sort !== undefined && !profile) throw new UsageError('--sort belongs to --profile');
  if (profile) {
    const order = profileOrder(sort);
    return (file, sink) => printProfile(file, cpus, order, sink);
  }
  if (trace) {
    const options = { ...traceOptions(option), ...(latency && { 'latency-format': true }) };
    return (file, sink) => reportAsTrace(file, { options, ...onCpus }, sink).warnings;
  }
  const options = { ...wordOptions(option), ...(time && { nanoseconds: true }), ...(latency && { latency }), ...onCpus };
  return (file, sink) => printReport(file, options, sink).warnings;
}

export const report: Verb = {
  name: 'report',
  isPortable: true,
  synopsis: '[-i FILE] [-t] [-l] [--cpu CPUS] [-O OPTION] [--trace | --profile [--sort ORDER]]',
  summary: 'print a recording',
  options: OPTIONS,
  help: `${INPUT_HELP}  -t          nanoseconds
  -l          the latency format's columns
  -O OPTION   ${Object.keys(WORDS)
    .filter((word) => !word.endsWith('=1'))
    .join(', ')}
  --trace     as the file trace prints it; -O then gives its options (funcgraph-tail, nofuncgraph-duration)
  --profile   a table of functions: total time, own time, calls
  --sort ORDER
              by what it is sorted: ${ORDERS.join(', ')}
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const { file, cpus } = recordingInput(values, words);
    const print = printerOf(values, cpus);
    const paged = throughPager();
    if (paged !== undefined) return paged;
    for (const warning of print(file, fdSink(1))) process.stderr.write(`fentry report: ${warning}\n`);
    return 0;
  },
};
