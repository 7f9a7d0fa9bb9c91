import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { visible } from '../../base/visible.js';
import { DUMP_FORMATS, type DumpFormat } from '../../dump/dump-formats.js';
import { dumpedRecording } from '../../dump/dumped-recording.js';
import { shownBy } from '../../dump/selection.js';
import { fdSink, type ReportSink } from '../../output/trace-dat/index.js';
import { type OptionSpecs, parseOptions } from '../arguments.js';
import { FILTER_OPTION, filterHelp } from '../filter-option.js';
import { type EndedSink, personSink } from '../person-sink.js';
import { byteText } from '../record/progress-line.js';
import { INPUT_HELP, INPUT_OPTIONS, recordingInput } from '../recording-input.js';
import { UsageError, type Verb } from '../verb.js';

const FORMATS: readonly DumpFormat[] = DUMP_FORMATS;

const COMMON_OPTIONS = {
  ...INPUT_OPTIONS,
  own: { type: 'boolean' },
  filter: FILTER_OPTION,
  output: { type: 'string', short: 'o' },
} as const;

const OPTIONS: typeof COMMON_OPTIONS & OptionSpecs = {
  ...Object.fromEntries(FORMATS.map(({ option }) => [option, { type: 'boolean' }] as const)),
  ...COMMON_OPTIONS,
};

/** Where the text of an option begins in the help. */
const COLUMN = 17;

const formatHelp = ({ option, help }: DumpFormat): string =>
  help.map((line, i) => `${(i === 0 ? `  --${option}` : '').padEnd(COLUMN)}${line}\n`).join('');

/** `--a, --b or --c`. */
const formatNames = FORMATS.map(({ option }) => `--${option}`)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ');

/** The one format that is chosen. */
function chosenFormat(values: Readonly<Record<string, unknown>>): DumpFormat {
  const [format, ...more] = FORMATS.filter(({ option }) => values[option]);
  if (format === undefined || more.length > 0) throw new UsageError(`choose what to print: ${formatNames}`);
  return format;
}

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
  synopsis: `${FORMATS.map(({ option }) => `--${option}`).join(' | ')} [-i FILE] [--cpu CPUS] [--own] [--filter FUNC] [-o FILE]`,
  summary: 'print the calls and events of a recording for other viewers',
  options: OPTIONS,
  help: `${FORMATS.map(formatHelp).join('')}  -o FILE        write to a file instead of stdout
  --own          only the application's own functions
${filterHelp(COLUMN)}${INPUT_HELP}
Example: fentry dump --chrome -i app.dat -o app.json
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const { file, cpus } = recordingInput(values, words);
    const { option, writes, opens, load } = chosenFormat(values);
    const { output, filter, own } = values;
    if (output === undefined && writes === 'data' && process.stdout.isTTY) {
      throw new UsageError(`--${option} does not print to a terminal: write a file with -o FILE and open it in ${opens}`);
    }
    if (output !== undefined) checkOutput(output, file);
    const { dump: write } = await load();
    const isShown = shownBy(filter, own === true);
    const recording = dumpedRecording(file, cpus, isShown === undefined ? {} : { isShown });
    const sink = output === undefined ? personSink(fdSink(1), false) : fileSink(output);
    const beside = (): ReportSink => {
      throw new UsageError(`--${option} writes several files: -o FILE`);
    };
    for (const warning of write(recording, { write: (bytes) => sink.write(bytes), beside }))
      process.stderr.write(`fentry dump: ${visible(warning)}\n`);
    sink.end();
    return 0;
  },
};
