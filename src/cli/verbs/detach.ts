import { connectTo } from '../../client/processes.js';
import { parseOptions } from '../arguments.js';
import { print } from '../output.js';
import { withPath } from '../path-error.js';
import type { Verb } from '../verb.js';
import { pidOf } from './attach.js';

const OPTIONS = { pid: { type: 'string', short: 'P' } } as const;

export const detach: Verb = {
  name: 'detach',
  synopsis: 'PID',
  summary: 'take fentry out of a process that it was attached to',
  help: 'Ends all tracing there, and leaves the process as it was: echo 0 > attached.\n',
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const pid = pidOf(words, values.pid);
    await withPath('attached', (await connectTo(pid)).write('attached', '0\n'));
    print(`detached from process ${pid}\n`);
    return 0;
  },
};
