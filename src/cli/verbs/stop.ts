import { INSTANCE_OPTION, PID_OPTION, parseOptionsOnly } from '../arguments.js';
import { INSTANCE_HELP, targetOf } from '../target.js';
import type { Verb } from '../verb.js';
import { whileWorking } from '../while-working.js';
import { writeFile } from '../write-file.js';

const OPTIONS = { ...PID_OPTION, ...INSTANCE_OPTION } as const;

export const stop: Verb = {
  name: 'stop',
  synopsis: '[--pid PID] [-B NAME]',
  summary: 'stop tracing; what was recorded stays',
  options: OPTIONS,
  help: INSTANCE_HELP,
  async run(args) {
    const client = await targetOf(parseOptionsOnly(args, OPTIONS));
    const what = `stopping tracing in process ${client.pid}`;
    await whileWorking(client.socketPath, what, () => writeFile(client, 'tracing_on', '0'));
    return 0;
  },
};
