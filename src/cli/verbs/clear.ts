import { INSTANCE_OPTION, PID_OPTION, parseOptionsOnly } from '../arguments.js';
import { INSTANCE_HELP, targetOf } from '../target.js';
import type { Verb } from '../verb.js';
import { writeFile } from '../write-file.js';

const OPTIONS = { ...PID_OPTION, ...INSTANCE_OPTION } as const;

export const clear: Verb = {
  name: 'clear',
  synopsis: '[--pid PID] [-B NAME]',
  summary: 'throw away what was recorded',
  options: OPTIONS,
  help: INSTANCE_HELP,
  async run(args) {
    const client = await targetOf(parseOptionsOnly(args, OPTIONS));
    await writeFile(client, 'trace', '');
    return 0;
  },
};
