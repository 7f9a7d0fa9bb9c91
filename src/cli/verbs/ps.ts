import { traceableProcesses } from '../../client/processes.js';
import { parseOptionsOnly } from '../arguments.js';
import { print } from '../output.js';
import type { Verb } from '../verb.js';

export const ps: Verb = {
  name: 'ps',
  synopsis: '',
  summary: 'list the processes that can be traced',
  help: '',
  async run(args) {
    parseOptionsOnly(args, {});
    const processes = await traceableProcesses();
    const width = Math.max(5, ...processes.map(({ pid }) => String(pid).length));
    print(`${'PID'.padStart(width)} COMMAND\n`);
    for (const { pid, command } of processes) print(`${String(pid).padStart(width)} ${command}\n`);
    return 0;
  },
};
