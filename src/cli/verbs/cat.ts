import { PID_OPTION, parseOptions } from '../arguments.js';
import { copyToStdout } from '../output.js';
import { withPath } from '../path-error.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';

export const cat: Verb = {
  name: 'cat',
  synopsis: '[--pid PID] FILE...',
  summary: 'print control files',
  options: PID_OPTION,
  help: 'Example: fentry cat trace_pipe\n',
  async run(args) {
    const { values, words } = parseOptions(args, PID_OPTION);
    if (words.length === 0) throw new UsageError('name a control file, for example trace; fentry ls lists them');
    const client = await targetOf(values);
    for (const path of words) {
      if (!(await copyToStdout(await withPath(path, client.open(path))))) break;
    }
    return 0;
  },
};
