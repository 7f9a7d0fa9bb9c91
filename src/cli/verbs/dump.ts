import { fdSink, printChromeTrace, printFlameGraph } from '../../output/trace-dat/index.js';
import { parseOptions } from '../arguments.js';
import { INPUT_HELP, INPUT_OPTIONS, recordingInput } from '../recording-input.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = { ...INPUT_OPTIONS, chrome: { type: 'boolean' }, 'flame-graph': { type: 'boolean' } } as const;

/** What each option prints. */
const FORMATS = [
  ['chrome', printChromeTrace],
  ['flame-graph', printFlameGraph],
] as const;

export const dump: Verb = {
  name: 'dump',
  isPortable: true,
  synopsis: '--chrome | --flame-graph [-i FILE] [--cpu CPUS]',
  summary: 'print the calls of a recording for other viewers',
  options: OPTIONS,
  help: `  --chrome       JSON for ui.perfetto.dev and chrome://tracing
  --flame-graph  a line for each stack, with its own time in nanoseconds: for speedscope, flamegraph.pl
${INPUT_HELP}
Example: fentry dump --chrome -i app.dat > app.json
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const { file, cpus } = recordingInput(values, words);
    const [format, ...more] = FORMATS.filter(([name]) => values[name]);
    if (format === undefined || more.length > 0) throw new UsageError('say what to print: --chrome or --flame-graph');
    for (const warning of format[1](file, cpus, fdSink(1))) process.stderr.write(`fentry dump: ${warning}\n`);
    return 0;
  },
};
