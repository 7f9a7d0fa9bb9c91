import { createInterface } from 'node:readline';
import { visible } from '../../base/visible.js';
import { workingFolder } from '../../base/working-folder.js';
import { INSTANCE_OPTION, numberOption, PID_OPTION, parseOptionsOnly } from '../arguments.js';
import { colourLine } from '../colour.js';
import { linkedPlaces } from '../linked-places.js';
import { copyToStdout } from '../output.js';
import { linkHost, throughPager, wantsColour } from '../pager.js';
import { withPath } from '../path-error.js';
import { INSTANCE_HELP, targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  ...INSTANCE_OPTION,
  pipe: { type: 'boolean', short: 'p' },
  snapshot: { type: 'boolean', short: 's' },
  cpu: { type: 'string', short: 'c' },
} as const;

export const show: Verb = {
  name: 'show',
  synopsis: '[--pid PID] [-B NAME] [-p | -s] [-c CPU]',
  summary: 'print the trace of a running process',
  options: OPTIONS,
  help: `  -p        print events as they come, until Ctrl-C; this consumes them
  -s        print the snapshot
  -c CPU    only one thread; 0 is the main thread
Marks before long durations: + over 10 us, ! 100 us, # 1 ms, * 10 ms, @ 100 ms, $ 1 s. (fentry report has trace-cmd's: # up to 1 s.)
${INSTANCE_HELP}`,
  async run(args) {
    const values = parseOptionsOnly(args, OPTIONS);
    if (values.pipe && values.snapshot) throw new UsageError('-p follows the trace, -s prints the snapshot: choose one');
    const directory = values.cpu === undefined ? '' : `per_cpu/cpu${numberOption('-c', values.cpu)}/`;
    const path = `${directory}${values.pipe ? 'trace_pipe' : values.snapshot ? 'snapshot' : 'trace'}`;
    const client = await targetOf(values);
    if (!values.pipe) {
      const paged = throughPager();
      if (paged !== undefined) return paged;
    }
    const stream = await withPath(path, client.open(path));
    if (!wantsColour()) await copyToStdout(stream);
    else {
      const linked = linkedPlaces(workingFolder(client.pid), linkHost());
      for await (const line of createInterface({ input: stream })) process.stdout.write(`${linked(colourLine(visible(line)))}\n`);
    }
    return 0;
  },
};
