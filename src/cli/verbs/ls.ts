import { PID_OPTION, parseOptions } from '../arguments.js';
import { print } from '../output.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = { ...PID_OPTION, long: { type: 'boolean', short: 'l' } } as const;

/** `-rw-r-----` */
function modeText(kind: 'file' | 'directory', mode: number): string {
  const bits = [...'rwxrwxrwx'].map((letter, i) => ((mode >> (8 - i)) & 1 ? letter : '-'));
  return `${kind === 'directory' ? 'd' : '-'}${bits.join('')}`;
}

export const ls: Verb = {
  name: 'ls',
  synopsis: '[--pid PID] [-l] [DIRECTORY]',
  summary: 'list control files',
  options: OPTIONS,
  help: '  -l    show modes\n',
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    if (words.length > 1) throw new UsageError('name one directory only');
    for (const { name, kind, mode } of await (await targetOf(values)).list(words[0] ?? '')) {
      print(`${values.long ? `${modeText(kind, mode)} ` : ''}${name}${kind === 'directory' ? '/' : ''}\n`);
    }
    return 0;
  },
};
