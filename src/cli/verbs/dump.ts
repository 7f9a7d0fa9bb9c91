import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { visible } from '../../base/visible.js';
import { DUMP_FORMATS, type DumpFormat } from '../../dump/dump-formats.js';
import { type DumpOutput, dumpedRecording } from '../../dump/dumped-recording.js';
import { MomentError, momentsOf } from '../../dump/moments.js';
import { type Selection, shownBy, tracksOf } from '../../dump/selection.js';
import { fdSink } from '../../output/trace-dat/index.js';
import { type OptionSpecs, type OptionValues, parseOptions } from '../arguments.js';
import { FileSink } from '../dump/file-sink.js';
import { FILTER_OPTION, filterHelp } from '../filter-option.js';
import { personSink } from '../person-sink.js';
import { INPUT_HELP, INPUT_OPTIONS, recordingInput } from '../recording-input.js';
import { UsageError, type Verb } from '../verb.js';

const FORMATS: readonly DumpFormat[] = DUMP_FORMATS;

const COMMON_OPTIONS = {
  ...INPUT_OPTIONS,
  from: { type: 'string' },
  to: { type: 'string' },
  process: { type: 'string' },
  thread: { type: 'string' },
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
  const [format, other] = FORMATS.filter(({ option }) => values[option]);
  if (format === undefined) throw new UsageError(`choose what to print: ${formatNames}`);
  if (other !== undefined) {
    throw new UsageError(`one run writes one format: --${format.option} or --${other.option}`);
  }
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

/** The part of the recording that the options select. */
function selectionOf(
  file: string,
  cpus: ReadonlySet<number> | undefined,
  { from, to, process, thread, own, filter }: OptionValues<typeof COMMON_OPTIONS>,
): Selection {
  const isTrack = tracksOf(process, thread);
  const isShown = shownBy(filter, own === true);
  try {
    return { ...momentsOf(file, cpus, { from, to }), ...(isTrack && { isTrack }), ...(isShown && { isShown }) };
  } catch (error) {
    throw error instanceof MomentError ? new UsageError(error.message) : error;
  }
}

/** Where the output goes: to stdout, or to files that begin with a name. */
function outputTo(
  output: string | undefined,
  recording: string,
  { option }: DumpFormat,
): DumpOutput & { end(): void; drop(): void } {
  if (output === undefined) {
    const sink = personSink(fdSink(1), false);
    const beside = (): never => {
      throw new UsageError(`--${option} writes several files: name them with -o FILE`);
    };
    return { write: (bytes) => sink.write(bytes), beside, end: () => sink.end(), drop() {} };
  }
  const files = [new FileSink(output)];
  return {
    write: (bytes) => files[0]!.write(bytes),
    beside(ending) {
      const extension = extname(ending);
      const path = `${output.endsWith(extension) ? output.slice(0, -extension.length) : output}${ending}`;
      checkOutput(path, recording);
      const file = new FileSink(path);
      files.push(file);
      return file;
    },
    end() {
      for (const file of files) file.end();
    },
    drop() {
      for (const file of files) file.drop();
    },
  };
}

export const dump: Verb = {
  name: 'dump',
  isPortable: true,
  synopsis: `${FORMATS.map(({ option }) => `--${option}`).join(' | ')} [-i FILE] [-o FILE] [--from TIME] [--to TIME] [--process PROCESS] [--thread THREAD] [--cpu CPUS] [--own] [--filter FUNC]`,
  summary: 'print the calls and events of a recording for other viewers',
  options: OPTIONS,
  help: `${FORMATS.map(formatHelp).join('')}  -o FILE        write to a file instead of stdout; one that is there stays until the new one is whole
  --from TIME, --to TIME
                 only this part of the recording; calls that are open where it begins and ends are cut there. TIME is
                 seconds since the first event (1.5, 20ms; behind --from: +20ms), @ and a time that report prints, or
                 the text of a mark
  --process PROCESS, --thread THREAD
                 only this one, by its id or its name
  --own          only the application's own functions
${filterHelp(COLUMN)}${INPUT_HELP}
Example: fentry dump --chrome -i app.dat -o app.json
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const { file, cpus } = recordingInput(values, words);
    const format = chosenFormat(values);
    const { option, writes, opens, load } = format;
    const { output } = values;
    if (output === undefined && writes !== 'text' && process.stdout.isTTY) {
      throw new UsageError(`--${option} does not print to a terminal: write a file with -o FILE and open it in ${opens}`);
    }
    if (output !== undefined) checkOutput(output, file);
    const { dump: write } = await load();
    const recording = dumpedRecording(file, cpus, selectionOf(file, cpus, values));
    const out = outputTo(output, file, format);
    try {
      for (const warning of write(recording, out)) process.stderr.write(`fentry dump: ${visible(warning)}\n`);
      out.end();
    } catch (error) {
      out.drop();
      throw error;
    }
    return 0;
  },
};
