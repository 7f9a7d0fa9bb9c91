import { TraceError } from '../../base/errno.js';
import { visible } from '../../base/visible.js';
import { workingFolder } from '../../base/working-folder.js';
import type { TraceClient } from '../../client/trace-client.js';
import { PID_OPTION, parseOptionsOnly } from '../arguments.js';
import { linkedPlaces } from '../linked-places.js';
import { print } from '../output.js';
import { isForEyes, linkHost } from '../pager.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';
import { writeFile } from '../write-file.js';

const OPTIONS = {
  ...PID_OPTION,
  start: { type: 'boolean' },
  stop: { type: 'boolean' },
  reset: { type: 'boolean' },
} as const;

/** What each option writes into which file. */
const WRITES = [
  ['start', 'stack_tracer_enabled', '1'],
  ['stop', 'stack_tracer_enabled', '0'],
  ['reset', 'stack_max_size', '0'],
] as const;

/** A process with an older fentry has no such file. */
function withoutPlaces(client: TraceClient, error: unknown): Promise<string> {
  if (error instanceof TraceError && error.errno === 'ENOENT') return client.read('stack_trace');
  throw error;
}

export const stack: Verb = {
  name: 'stack',
  synopsis: '[--pid PID] [--start | --stop | --reset]',
  summary: 'print the deepest stack of a running process',
  options: OPTIONS,
  help: `  --start   start measuring; each measured call then takes longer
  --stop    stop measuring
  --reset   forget the deepest stack and go on

Example: fentry stack --start; fentry stack
`,
  async run(args) {
    const values = parseOptionsOnly(args, OPTIONS);
    const [write, ...more] = WRITES.filter(([name]) => values[name]);
    if (more.length > 0) throw new UsageError('choose one of --start, --stop and --reset');
    const client = await targetOf(values);
    if (write !== undefined) await writeFile(client, write[1], write[2]);
    else {
      const text = await client.read('stack_trace_places').catch((error) => withoutPlaces(client, error));
      if (isForEyes()) process.stdout.write(linkedPlaces(workingFolder(client.pid), linkHost())(visible(text)));
      else print(text);
    }
    return 0;
  },
};
