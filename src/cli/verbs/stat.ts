import { chosenProcess } from '../../client/processes.js';
import { INSTANCE_OPTION, numberOption, PID_OPTION, parseOptions, splitCommand } from '../arguments.js';
import { EVENT_OPTIONS, eventRequests } from '../event-options.js';
import { complain } from '../output.js';
import { endOf } from '../record/run-command.js';
import { countCommand } from '../stat/count-command.js';
import { type CountingOptions, countProcess } from '../stat/count-process.js';
import { countedBy } from '../stat/counted.js';
import { StatOutput } from '../stat/stat-output.js';
import { printTracingState } from '../stat/tracing-state.js';
import { INSTANCE_HELP, targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  ...INSTANCE_OPTION,
  event: EVENT_OPTIONS.event,
  'event-filter': EVENT_OPTIONS['event-filter'],
  function: { type: 'string', short: 'l', multiple: true },
  interval: { type: 'string', short: 'I' },
  output: { type: 'string', short: 'o' },
} as const;

/** Shorter intervals would measure the reading of the files. */
const LEAST_INTERVAL = 10;

export const stat: Verb = {
  name: 'stat',
  synopsis: '[--pid PID] [-e EVENT [-f FILTER]] [-l FUNC] [-I MS] [-o FILE] [[--] COMMAND...] | [--pid PID] [-B NAME]',
  summary: 'count events and calls, as perf stat does; without -e, -l, -I and COMMAND: show what is being traced',
  options: OPTIONS,
  help: `  -e EVENT               count this event: SYSTEM:EVENT, a system or an event, * ? [] as in a shell;
                         if no event has the name, the calls of the functions that match;
                         may be repeated. Without -e and -l: what Node does, such as
                         collections, files, connections and requests
  -f FILTER              only events for which this holds: 'status >= 500'
  -l FUNC                count the calls of functions that match: 'handle*', '*:mod:express';
                         may be repeated
  -I MS                  print the counts of each interval of so many milliseconds
  -o FILE                print into this file, not on stderr
  -P, --pid PID          count in this process while COMMAND runs, or until Ctrl-C
${INSTANCE_HELP}
Without --pid, COMMAND is counted with all Node processes that it starts. The exit code is the command's.

Examples: fentry stat -- node app.js
          fentry stat --pid 4711 -e http:server_request_start -l 'handle*' sleep 10
          fentry stat --pid 4711 -I 1000
`,
  async run(args) {
    const { own, command } = splitCommand(args, OPTIONS);
    const { values } = parseOptions(own, OPTIONS);
    const requests = eventRequests(own, OPTIONS);
    const { pid, instance, function: functions, interval, output } = values;
    const counts = command.length > 0 || requests.length > 0 || functions !== undefined || interval !== undefined;
    if (!counts) {
      if (output !== undefined) throw new UsageError('-o is for counts: name what to count, or a command');
      await printTracingState(await targetOf(values));
      return 0;
    }
    if (instance !== undefined) throw new UsageError('-B is for what is being traced: counts have an instance of their own');
    if (command.length === 1 && pid === undefined && /^\d+$/.test(command[0]!))
      throw new UsageError(`there is no command ${command[0]}; a process is chosen with --pid ${command[0]}`);
    const options: CountingOptions = {
      counted: countedBy(requests, functions),
      interval: interval === undefined ? undefined : numberOption('-I', interval, LEAST_INTERVAL),
      output: new StatOutput(output),
    };
    try {
      if (command.length > 0 && pid === undefined) return endOf(await countCommand(command, options), command[0], complain);
      const one = await chosenProcess(pid === undefined ? undefined : numberOption('--pid', pid, 1), complain);
      return endOf(await countProcess(one, command, options), command[0], complain);
    } finally {
      options.output.close();
    }
  },
};
