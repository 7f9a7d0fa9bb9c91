import { resolve } from 'node:path';
import { TraceError } from '../../base/errno.js';
import { parseOptions } from '../arguments.js';
import { isMounted } from '../mount/mount-table.js';
import { unmount as takeAway } from '../mount/unmount.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = { lazy: { type: 'boolean', short: 'l' } } as const;

export const unmount: Verb = {
  name: 'unmount',
  synopsis: '[--lazy] DIRECTORY',
  summary: 'unmount control files that fentry mount has mounted',
  options: OPTIONS,
  help: '  -l, --lazy    unmount now, even if a file is open there\n',
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [word, ...more] = words;
    if (word === undefined || more.length > 0) throw new UsageError('name the directory to unmount');
    const directory = resolve(word);
    if (!isMounted(directory)) throw new TraceError('EINVAL', `${directory} is not a mount of fentry`);
    await takeAway(directory, values.lazy === true);
    return 0;
  },
};
