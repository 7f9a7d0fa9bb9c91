import { INSTANCE_OPTION, numberOption, PID_OPTION, parseOptionsOnly } from '../arguments.js';
import { copyToStdout } from '../output.js';
import { withPath } from '../path-error.js';
import { INSTANCE_HELP, targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';
import { writeFile } from '../write-file.js';

const OPTIONS = {
  ...PID_OPTION,
  ...INSTANCE_OPTION,
  take: { type: 'boolean', short: 's' },
  reset: { type: 'boolean', short: 'r' },
  free: { type: 'boolean', short: 'f' },
  cpu: { type: 'string', short: 'c' },
} as const;

/** What each letter writes into the file. */
const WRITES = [
  ['take', '1'],
  ['reset', '2'],
  ['free', '0'],
] as const;

export const snapshot: Verb = {
  name: 'snapshot',
  synopsis: '[--pid PID] [-B NAME] [-s | -r | -f] [-c CPU]',
  summary: 'print the snapshot of a running process, or take one',
  options: OPTIONS,
  help: `  -s        take a snapshot of the buffers
  -r        empty the snapshot
  -f        free its memory
  -c CPU    only one thread
${INSTANCE_HELP}
Example: fentry snapshot -s; fentry snapshot
`,
  async run(args) {
    const values = parseOptionsOnly(args, OPTIONS);
    const [write, ...more] = WRITES.filter(([name]) => values[name]);
    if (more.length > 0) throw new UsageError('choose one of -s, -r and -f');
    const directory = values.cpu === undefined ? '' : `per_cpu/cpu${numberOption('-c', values.cpu)}/`;
    const path = `${directory}snapshot`;
    const client = await targetOf(values);
    if (write !== undefined) await writeFile(client, path, write[1]);
    else await copyToStdout(await withPath(path, client.open(path)));
    return 0;
  },
};
