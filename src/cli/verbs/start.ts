import { INSTANCE_OPTION, PID_OPTION } from '../arguments.js';
import { complain } from '../output.js';
import { startTracing, withBreakpointWarnings } from '../set-up.js';
import { busyHint, isBusyInSilence } from '../silent-thread.js';
import { targetOf } from '../target.js';
import { parseTracerOptions, TRACER_HELP, TRACER_OPTIONS } from '../tracer-options.js';
import { UsageError, type Verb } from '../verb.js';
import { whileWorking } from '../while-working.js';
import { writeFile } from '../write-file.js';

const OPTIONS = { ...PID_OPTION, ...INSTANCE_OPTION, ...TRACER_OPTIONS } as const;

export const start: Verb = {
  name: 'start',
  synopsis:
    '[--pid PID] [-B NAME] [-p TRACER] [-l FUNC] [-n FUNC] [-g FUNC] [-O OPTION] [-C CLOCK] [-b KB] [--max-graph-depth N] [--min-duration TIME] [--own] [-e EVENT [-f FILTER] [-R TRIGGER]] [-v -e EVENT]',
  summary: 'start tracing functions or events in a running process',
  options: OPTIONS,
  help: `${TRACER_HELP}  -B NAME                in this instance, which is created if necessary; the default tracer is then function\n\nWithout options, tracing that was stopped goes on.\n\nExample: fentry start -p function -l 'handle*'; fentry show\n`,
  async run(args) {
    const { values, words } = parseTracerOptions(args, OPTIONS);
    if (words.length > 0)
      throw new UsageError(`start takes no words: '${words[0]}'; to trace a command: fentry record -- COMMAND`);
    const { pid: _, instance, ...options } = values;
    const client = await targetOf(values, { makesInstance: true });
    const fallback = instance === undefined ? undefined : 'function';
    await whileWorking(client.socketPath, `setting up tracing in process ${client.pid}`, async () => {
      if (Object.keys(options).length === 0) await writeFile(client, 'tracing_on', '1');
      else await withBreakpointWarnings(client, () => startTracing(client, options, fallback));
    });
    if (await isBusyInSilence(client)) complain(`process ${client.pid}: ${busyHint(client.pid)}`);
    return 0;
  },
};
