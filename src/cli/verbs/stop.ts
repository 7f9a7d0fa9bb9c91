import { PID_OPTION, parseOptions } from '../arguments.js';
import { writeFile } from '../set-up.js';
import { targetOf } from '../target.js';
import type { Verb } from '../verb.js';

export const stop: Verb = {
  name: 'stop',
  synopsis: '[--pid PID]',
  summary: 'stop tracing; what was recorded stays',
  help: '',
  async run(args) {
    const client = await targetOf(parseOptions(args, PID_OPTION).values);
    await writeFile(client, 'tracing_on', '0');
    return 0;
  },
};
