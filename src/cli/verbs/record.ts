import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseOptions, splitCommand } from '../arguments.js';
import { composeRecording } from '../record/compose-recording.js';
import { partsFolder } from '../record/parts-folder.js';
import { preloadOptions } from '../record/preload.js';
import { byteText, ProgressLine, progressText } from '../record/progress-line.js';
import { recordedProcesses, recordingProgress } from '../record/recording-folder.js';
import { type Ending, exitCodeOf, runCommand } from '../record/run-command.js';
import { startParameters } from '../record/start-parameters.js';
import { whyNothing } from '../record/why-nothing.js';
import { TRACER_HELP, TRACER_OPTIONS, type TracerOptions } from '../tracer-options.js';
import { UsageError, type Verb } from '../verb.js';
import { VERSION } from '../version.js';

const OPTIONS = {
  ...TRACER_OPTIONS,
  output: { type: 'string', short: 'o' },
  // trace-cmd's letters for "only this command" and "its children too": record does nothing else.
  filter: { type: 'boolean', short: 'F' },
  children: { type: 'boolean', short: 'c' },
} as const;

/** How often the progress line is written anew, in milliseconds. */
const REFRESH = 250;

export const record: Verb = {
  name: 'record',
  synopsis:
    '[-p TRACER] [-l FUNC] [-n FUNC] [-g FUNC] [-O OPTION] [-C CLOCK] [-b KB] [--max-graph-depth N] [-o FILE] [--] COMMAND...',
  summary: 'run a command and record the functions that it calls',
  help: `${TRACER_HELP}  -o FILE                the recording (trace.dat)

Workers and child processes are recorded too. The exit code is the command's.

Example: fentry record -g handle -o shop.dat -- node server.js; fentry report -i shop.dat
`,
  async run(args) {
    const { own, command } = splitCommand(args, OPTIONS);
    const { values } = parseOptions(own, OPTIONS);
    if (command.length === 0) throw new UsageError('name the command that is to be recorded, as: fentry record -- node app.js');
    return exitCodeOf(await recordCommand(command, values, values.output ?? 'trace.dat'));
  },
};

const complain = (message: string): void => void process.stderr.write(`fentry: ${message}\n`);

async function recordCommand(command: readonly string[], options: TracerOptions, output: string): Promise<Ending> {
  const folder = partsFolder(output);
  let isNeeded = false;
  try {
    const parameters = startParameters(options, resolve(folder), process.env['FENTRY']);
    const env = { ...process.env, NODE_OPTIONS: preloadOptions(process.env['NODE_OPTIONS']), FENTRY: parameters };
    const line = new ProgressLine();
    const timer = setInterval(() => line.show(`fentry: recording: ${progressText(recordingProgress(folder))}`), REFRESH);
    const ending = await runCommand(command, env, complain);
    clearInterval(timer);
    line.clear();
    if ('began' in ending && !ending.began) return ending;
    isNeeded = true;
    const progress = recordingProgress(folder);
    const bytes = composeRecording(folder, output, VERSION);
    isNeeded = false;
    complain(`${progressText(progress)} recorded; ${output} has ${byteText(bytes)}`);
    if (progress.events === 0) complain(whyNothing(recordedProcesses(folder).length, options, ending));
    return ending;
  } finally {
    if (isNeeded) complain(`what was recorded is in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}
