import { INSTANCE_OPTION, PID_OPTION, parseOptionsOnly } from '../arguments.js';
import { resetTracing } from '../set-up.js';
import { INSTANCE_HELP, targetOf } from '../target.js';
import type { Verb } from '../verb.js';
import { whileWorking } from '../while-working.js';

const OPTIONS = { ...PID_OPTION, ...INSTANCE_OPTION } as const;

export const reset: Verb = {
  name: 'reset',
  synopsis: '[--pid PID] [-B NAME]',
  summary: 'turn all tracing off and clear filters and buffers',
  options: OPTIONS,
  help: INSTANCE_HELP,
  async run(args) {
    const client = await targetOf(parseOptionsOnly(args, OPTIONS));
    await whileWorking(client.socketPath, `resetting process ${client.pid}`, () => resetTracing(client));
    return 0;
  },
};
