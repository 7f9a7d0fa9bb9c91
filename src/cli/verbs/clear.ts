import { PID_OPTION, parseOptions } from '../arguments.js';
import { writeFile } from '../set-up.js';
import { targetOf } from '../target.js';
import type { Verb } from '../verb.js';

export const clear: Verb = {
  name: 'clear',
  synopsis: '[--pid PID]',
  summary: 'throw away what was recorded',
  help: '',
  async run(args) {
    const client = await targetOf(parseOptions(args, PID_OPTION).values);
    await writeFile(client, 'trace', '');
    return 0;
  },
};
