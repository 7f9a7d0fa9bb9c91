import { once } from 'node:events';
import { resolve } from 'node:path';
import { allApplications, chosenProcess, type TraceableProcess } from '../../client/processes.js';
import { askForLastPages } from '../../recording/last-pages.js';
import type { RecordingLimits } from '../../recording/recording-space.js';
import { numberOption, splitCommand } from '../arguments.js';
import { complain } from '../output.js';
import { conversionInto } from '../record/conversion-into.js';
import { finishRecording } from '../record/finish-recording.js';
import { partsFolder, removeParts, toRestore } from '../record/parts-folder.js';
import { preloadOptions } from '../record/preload.js';
import { recordNative } from '../record/record-native.js';
import { recordProcesses } from '../record/record-processes.js';
import { recordedProcesses } from '../record/recording-folder.js';
import { type Ending, endOf, runCommand } from '../record/run-command.js';
import { limitParameters, limitText, SIZE_HELP, SIZE_OPTIONS, sizeLimits } from '../record/size-limits.js';
import { MODULES, startParameters } from '../record/start-parameters.js';
import { whyNothing, whyNothingRan } from '../record/why-nothing.js';
import { runningInstead } from '../running-instead.js';
import { parseTracerOptions, TRACER_HELP, TRACER_OPTIONS, type TracerOptionValues } from '../tracer-options.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  pid: { type: 'string', short: 'P', multiple: true },
  all: { type: 'boolean' },
  native: { type: 'boolean' },
  managers: { type: 'boolean' },
  modules: { type: 'boolean' },
  ...TRACER_OPTIONS,
  ...SIZE_OPTIONS,
  output: { type: 'string', short: 'o' },
  // trace-cmd's letters for "only this command" and "its children too": record does nothing else.
  filter: { type: 'boolean', short: 'F' },
  children: { type: 'boolean', short: 'c' },
} as const;

/** What ends the recording of a running process. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export const record: Verb = {
  name: 'record',
  synopsis:
    '[-p TRACER] [-l FUNC] [-n FUNC] [-g FUNC] [-O OPTION] [-C CLOCK] [-b KB] [--max-graph-depth N] [--min-duration TIME] [--own] [--modules] [-e EVENT [-f FILTER] [-R TRIGGER]] [-v -e EVENT] [--max-size SIZE] [-m KB] [-o FILE] [--managers] [--pid PID | --all | --native] [[--] COMMAND...]',
  summary: 'run a command, or use a running process, and record the functions that it calls, or events',
  options: OPTIONS,
  help: `${TRACER_HELP}${SIZE_HELP}  -o FILE                the recording (trace.dat)
  -P, --pid PID          record this process until Ctrl-C, or while COMMAND runs; then reset it;
                         may be repeated: one recording of several processes
  --all                  record all applications that fentry ps lists
  --managers             keep npm, npx, yarn and pnpm too; without it they are left out of the recording of what they start
  --modules              only the code of modules outside of functions: for fentry report --modules
  --native               COMMAND is any program for x86-64 or arm64: record its machine code, C and C++, from its entry point on

Workers and child processes are recorded too. The exit code is the command's;
if a signal ends it, fentry says which, and the exit code is 128 and the signal's number, as in a shell.

Examples: fentry record -g handle -o shop.dat -- node server.js; fentry report -i shop.dat
          fentry record --pid 4711 -g handle sleep 10
`,
  async run(args) {
    const { own, command } = splitCommand(args, OPTIONS);
    const { values } = parseTracerOptions(own, OPTIONS);
    const output = values.output ?? 'trace.dat';
    if (values.native && (values.pid !== undefined || values.all)) {
      throw new UsageError('--native starts a command: fentry attach --native PID, then fentry record --pid PID');
    }
    if (values.modules && (values.pid !== undefined || values.all || values.native))
      throw new UsageError('--modules starts a command of Node: the modules of a process that runs have run already');
    if (values.modules && values.function !== undefined)
      throw new UsageError('--modules records modules, -l functions: choose one');
    if (values.pid !== undefined || values.all)
      return recordRunning(await chosen(values), command, values, sizeLimits(values), output);
    if (command.length === 0) throw new UsageError('name the command to record, for example: fentry record -- node app.js');
    if (values.native) {
      const limits = sizeLimits(values);
      const ending = await recordNative(command, { tracing: values, limits, output, isShown: false, complain });
      return endOf(ending, command[0], complain);
    }
    const traced = values.modules ? { ...values, function: MODULES } : values;
    const ending = await recordCommand(command, traced, sizeLimits(values), output, values.managers);
    return endOf(ending, command[0], complain);
  },
};

/** The processes that --pid and --all name. */
async function chosen({ pid = [], all }: { readonly pid?: readonly string[]; readonly all?: boolean }) {
  if (all && pid.length > 0) throw new UsageError('--all records all processes: leave out --pid');
  if (all) return allApplications(complain);
  const pids = [...new Set(pid.map((word) => numberOption('--pid', word, 1)))];
  return Promise.all(pids.map((one) => chosenProcess(one, complain)));
}

/** Records processes that run already: as long as a command runs, or until a signal. */
async function recordRunning(
  processes: readonly TraceableProcess[],
  command: readonly string[],
  tracing: TracerOptionValues,
  limits: RecordingLimits,
  output: string,
): Promise<number> {
  let ending: Ending = { code: 0, began: true };
  const ended = async (): Promise<void> => {
    ending = await runCommand(command, process.env, complain);
  };
  const hasCommand = command.length > 0;
  complain(`recording into ${output}${limitText(limits)}${hasCommand ? '' : '; until Ctrl-C'}`);
  const options = { tracing, limits, output, isShown: !hasCommand, complain };
  const { events } = await recordProcesses(processes, options, hasCommand ? ended : stopSignal);
  if (events === 0) complain(whyNothingRan(tracing));
  return endOf(ending, command[0], complain);
}

/** Resolves when the user ends the recording. */
async function stopSignal(): Promise<void> {
  await Promise.race(STOP_SIGNALS.map((name) => once(process, name)));
}

async function recordCommand(
  command: readonly string[],
  options: TracerOptionValues,
  limits: RecordingLimits,
  output: string,
  withManagers = false,
): Promise<Ending> {
  const folder = partsFolder(output);
  let isNeeded = false;
  try {
    const measured = await conversionInto(folder, options.clock);
    const parameters = [startParameters(options, resolve(folder), process.env['FENTRY']), limitParameters(limits)].join(' ');
    const env = { ...process.env, NODE_OPTIONS: preloadOptions(process.env['NODE_OPTIONS']), FENTRY: parameters };
    // The only line before the command ends: while it runs, the terminal belongs to it.
    complain(`recording into ${output}${limitText(limits)}`);
    const beforeSignal = (pid: number, signal: NodeJS.Signals): void => askForLastPages(folder, pid, signal);
    const ending = await runCommand(command, env, complain, { beforeSignal });
    if ('began' in ending && !ending.began) return ending;
    isNeeded = true;
    measured?.();
    const progress = finishRecording(folder, output, limits, complain, withManagers);
    isNeeded = false;
    if (progress.events > 0) return ending;
    const { length } = recordedProcesses(folder);
    complain(`${whyNothing(length, options, ending)}${length === 0 ? await runningInstead() : ''}`);
    return ending;
  } finally {
    if (isNeeded) complain(toRestore(folder));
    else removeParts(folder);
  }
}
