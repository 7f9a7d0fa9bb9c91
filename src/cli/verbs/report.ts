import { visible } from '../../base/visible.js';
import {
  fdSink,
  KERNEL,
  marksText,
  PROFILE_ORDERS,
  type ProfileOrder,
  printModules,
  printProfile,
  report as printReport,
  type ReportOptions,
  type ReportSink,
  reportAsTrace,
  TRACE_CMD,
  type TraceFormatOptions,
} from '../../output/trace-dat/index.js';
import { ANSWER_OPTIONS, answerStyle } from '../answer-output.js';
import { type OptionValues, parseOptions } from '../arguments.js';
import { FILTER_OPTION, filterHelp } from '../filter-option.js';
import { notOneOf } from '../nearest.js';
import { isForEyes, throughPager } from '../pager.js';
import { personSink, plainSink } from '../person-sink.js';
import { INPUT_HELP, INPUT_OPTIONS, recordingInput } from '../recording-input.js';
import { traceOptionWord } from '../trace-option-word.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...INPUT_OPTIONS,
  time: { type: 'boolean', short: 't' },
  latency: { type: 'boolean', short: 'l' },
  trace: { type: 'boolean' },
  profile: { type: 'boolean' },
  modules: { type: 'boolean' },
  sort: { type: 'string' },
  filter: FILTER_OPTION,
  ...ANSWER_OPTIONS,
  option: { type: 'string', short: 'O', multiple: true },
  fold: { type: 'boolean' },
  'no-fold': { type: 'boolean' },
} as const;

/** The words of -O, and what each means to the report. */
const WORDS: Readonly<Record<string, ReportOptions>> = {
  tailprint: { tailprint: true },
  'tailprint=1': { tailprint: true },
  depth: { depth: true },
  'depth=1': { depth: true },
  parent: { parent: true },
  'parent=1': { parent: true },
  places: { places: true },
  'places=1': { places: true },
  'indent=0': { indent: false },
  'extras=0': { extras: false },
};

/** The options that -O gives, trace-cmd's prefixes (`fgraph:`, `ftrace:`) allowed. */
function wordOptions(words: readonly string[]): ReportOptions {
  let options: ReportOptions = {};
  for (const word of words) {
    const known = WORDS[word.replace(/^(fgraph|ftrace):/, '')];
    if (known === undefined) throw new UsageError(`-O ${word}: ${notOneOf(word, Object.keys(WORDS))}`);
    options = { ...options, ...known };
  }
  return options;
}

/** The trace options that -O gives for --trace: `funcgraph-tail`, `nofuncgraph-duration`. */
function traceOptions(words: readonly string[]): TraceFormatOptions['options'] {
  const options: Record<string, boolean> = {};
  for (const word of words) {
    const { name, on } = traceOptionWord(word);
    options[name] = on;
  }
  return options;
}

const ORDERS = Object.keys(PROFILE_ORDERS) as ProfileOrder[];

function profileOrder(word = 'total'): ProfileOrder {
  const order = ORDERS.find((one) => one === word);
  if (order === undefined) throw new UsageError(`--sort ${word}: ${notOneOf(word, ORDERS)}`);
  return order;
}

/** A function that prints what the options ask for and returns warnings. UsageError if options contradict each other. */
function printerOf(
  { option = [], time, latency, trace, profile, modules, sort, filter, json, all }: OptionValues<typeof OPTIONS>,
  cpus: ReadonlySet<number> | undefined,
): (file: string, sink: ReportSink) => readonly string[] {
  const onCpus = cpus && { cpus };
  const reports = Object.entries({ trace, profile, modules }).flatMap(([name, isChosen]) => (isChosen ? [`--${name}`] : []));
  if (reports.length > 1) throw new UsageError(`${reports.join(' and ')} are ${reports.length} reports: choose one`);
  if (sort !== undefined && !profile) throw new UsageError('--sort belongs to --profile');
  if (filter !== undefined && !profile) throw new UsageError('--filter belongs to --profile');
  if (json && !profile && !modules) throw new UsageError('--json belongs to --profile and --modules');
  if (all && !profile && !modules) throw new UsageError('--all belongs to --profile and --modules');
  if (modules) {
    const shown = { json: json === true, style: answerStyle({ all: all === true }) };
    return (file, sink) => printModules(file, cpus, shown, sink);
  }
  if (profile) {
    const order = profileOrder(sort);
    const shown = { order, ...(filter && { filter }), json: json === true, style: answerStyle({ all: all === true }) };
    return (file, sink) => printProfile(file, cpus, shown, sink);
  }
  if (trace) {
    const options = { ...traceOptions(option), ...(latency && { 'latency-format': true }) };
    return (file, sink) => reportAsTrace(file, { options, ...onCpus }, sink).warnings;
  }
  const options = { ...wordOptions(option), ...(time && { nanoseconds: true }), ...(latency && { latency }), ...onCpus };
  return (file, sink) => printReport(file, options, sink).warnings;
}

/** Whether repeated calls are left out: by default if a person reads the output. */
function foldWanted({ fold, 'no-fold': noFold, profile, modules }: OptionValues<typeof OPTIONS>): boolean {
  if (fold && noFold) throw new UsageError('--fold and --no-fold contradict each other');
  if (fold && (profile || modules)) throw new UsageError(`--fold is for calls: --${profile ? 'profile' : 'modules'} is a table`);
  return !profile && !modules && (fold || (isForEyes() && !noFold));
}

const MARKS = { report: marksText(TRACE_CMD.duration), trace: marksText(KERNEL.duration) } as const;

export const report: Verb = {
  name: 'report',
  isPortable: true,
  synopsis:
    '[-i FILE] [-t] [-l] [--cpu CPUS] [-O OPTION] [--fold | --no-fold] [--trace | --profile [--sort ORDER] [--filter FUNC] [--all] [--json] | --modules [--all] [--json]]',
  summary: 'print a recording',
  options: OPTIONS,
  help: `${INPUT_HELP}  -t          times in nanoseconds
  -l          the columns of the latency format
  -O OPTION   ${Object.keys(WORDS)
    .filter((word) => !word.endsWith('=1'))
    .join(', ')}
  --trace     as the file trace shows it; -O then gives trace options (funcgraph-tail, nofuncgraph-duration)
  --fold, --no-fold
              of repeated calls show only the first, or all; the default on a terminal is --fold
  --profile   a table of functions: total and self time, calls, time of a call
  --modules   the tree of imports: what each module's code outside of functions took, by itself and with what came by it
  --all       with --modules: the modules too with less than a hundredth of the time. With --profile: the functions too that are not the application's, which one line sums up otherwise
  --json      with --profile and --modules: the table as data, as docs/json.md describes it
  --sort ORDER
              sort the table by: ${ORDERS.join(', ')}
${filterHelp(14)}
Marks before long durations, as in trace-cmd: ${MARKS.report}.
With --trace, and in fentry show, as in the kernel: ${MARKS.trace}.
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const { file, cpus } = recordingInput(values, words);
    const print = printerOf(values, cpus);
    const folds = foldWanted(values);
    const paged = throughPager();
    if (paged !== undefined) return paged;
    const sink =
      values.profile || values.modules
        ? plainSink(fdSink(1))
        : personSink(fdSink(1), folds, MARKS[values.trace ? 'trace' : 'report']);
    for (const warning of print(file, sink)) process.stderr.write(`fentry report: ${visible(warning)}\n`);
    sink.end();
    return 0;
  },
};
