import { PID_OPTION, parseOptions } from '../arguments.js';
import { resetTracing } from '../set-up.js';
import { targetOf } from '../target.js';
import type { Verb } from '../verb.js';

export const reset: Verb = {
  name: 'reset',
  synopsis: '[--pid PID]',
  summary: 'turn all tracing off and clear filters and buffers',
  help: '',
  async run(args) {
    const client = await targetOf(parseOptions(args, PID_OPTION).values);
    await resetTracing(client);
    return 0;
  },
};
