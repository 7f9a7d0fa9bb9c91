import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { visible } from '../../base/visible.js';
import { fdSink, printChromeTrace, printFlameGraph, type ReportSink } from '../../output/trace-dat/index.js';
import { parseOptions } from '../arguments.js';
import { FILTER_OPTION, filterHelp } from '../filter-option.js';
import { type EndedSink, personSink } from '../person-sink.js';
import { byteText } from '../record/progress-line.js';
import { INPUT_HELP, INPUT_OPTIONS, recordingInput } from '../recording-input.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...INPUT_OPTIONS,
  chrome: { type: 'boolean' },
  'flame-graph': { type: 'boolean' },
  filter: FILTER_OPTION,
  output: { type: 'string', short: 'o' },
} as const;

/** What each option prints, and whether a person can read it. */
const FORMATS = [
  ['chrome', printChromeTrace, false],
  ['flame-graph', printFlameGraph, true],
] as const;

/** Refuses to write into the recording itself. */
function checkOutput(output: string, file: string): void {
  const there = statSync(output, { throwIfNoEntry: false });
  const recording = statSync(file, { throwIfNoEntry: false });
  if (there !== undefined && there.ino === recording?.ino && there.dev === recording.dev) {
    throw new UsageError(`-o ${output} is the recording itself`);
  }
}

/** Writes to a file, which is created at the first write. */
function fileSink(output: string): EndedSink {
  let sink: ReportSink | undefined;
  let fd = -1;
  return {
    write(bytes) {
      if (sink === undefined) {
        fd = openSync(output, 'w');
        sink = fdSink(fd);
      }
      return sink.write(bytes);
    },
    end() {
      if (fd < 0) return;
      const { size } = fstatSync(fd);
      closeSync(fd);
      process.stderr.write(`fentry: ${visible(output)} has ${byteText(size)}\n`);
    },
  };
}

export const dump: Verb = {
  name: 'dump',
  isPortable: true,
  synopsis: '--chrome | --flame-graph [-i FILE] [--cpu CPUS] [--filter FUNC] [-o FILE]',
  summary: 'print the calls of a recording for other viewers',
  options: OPTIONS,
  help: `  --chrome       JSON for ui.perfetto.dev, chrome://tracing and speedscope
  --flame-graph  a line for each stack, with its own time in nanoseconds: for speedscope, flamegraph.pl
  -o FILE        write to a file instead of stdout
${filterHelp(17)}${INPUT_HELP}
Example: fentry dump --chrome -i app.dat -o app.json
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const { file, cpus } = recordingInput(values, words);
    const [format, ...more] = FORMATS.filter(([name]) => values[name]);
    if (format === undefined || more.length > 0) throw new UsageError('choose what to print: --chrome or --flame-graph');
    const [, print, isReadable] = format;
    const { output, filter } = values;
    if (output === undefined && !isReadable && process.stdout.isTTY) {
      throw new UsageError('--chrome does not print to a terminal: write a file with -o FILE and open it in ui.perfetto.dev');
    }
    if (output !== undefined) checkOutput(output, file);
    const sink = output === undefined ? personSink(fdSink(1), false) : fileSink(output);
    for (const warning of print(file, cpus, filter === undefined ? {} : { filter }, sink))
      process.stderr.write(`fentry dump: ${visible(warning)}\n`);
    sink.end();
    return 0;
  },
};
