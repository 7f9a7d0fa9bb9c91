import { createInterface } from 'node:readline';
import { numberOption, PID_OPTION, parseOptions } from '../arguments.js';
import { colourLine } from '../colour.js';
import { copyToStdout, print } from '../output.js';
import { throughPager, wantsColour } from '../pager.js';
import { withPath } from '../path-error.js';
import { targetOf } from '../target.js';
import type { Verb } from '../verb.js';

const OPTIONS = { ...PID_OPTION, pipe: { type: 'boolean', short: 'p' }, cpu: { type: 'string', short: 'c' } } as const;

export const show: Verb = {
  name: 'show',
  synopsis: '[--pid PID] [-p] [-c CPU]',
  summary: 'print the trace of a running process',
  help: '  -p        as it comes, until Ctrl-C; what is printed is taken out of the buffer\n  -c CPU    of one thread: 0 is the main thread\n',
  async run(args) {
    const { values } = parseOptions(args, OPTIONS);
    const directory = values.cpu === undefined ? '' : `per_cpu/cpu${numberOption('-c', values.cpu)}/`;
    const path = `${directory}${values.pipe ? 'trace_pipe' : 'trace'}`;
    const client = await targetOf(values);
    if (!values.pipe) {
      const paged = throughPager();
      if (paged !== undefined) return paged;
    }
    const stream = await withPath(path, client.open(path));
    if (!wantsColour()) await copyToStdout(stream);
    else for await (const line of createInterface({ input: stream })) print(`${colourLine(line)}\n`);
    return 0;
  },
};
