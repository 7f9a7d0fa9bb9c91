import { buffer as readAll } from 'node:stream/consumers';
import { PID_OPTION, parseOptions } from '../arguments.js';
import { withPath } from '../path-error.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = { ...PID_OPTION } as const;

/** `write` and `append`: `echo WORDS > FILE` and `echo WORDS >> FILE`; without words, what comes in on stdin. */
function writeVerb(name: 'write' | 'append', summary: string): Verb {
  return {
    name,
    synopsis: '[--pid PID] FILE [WORD...]',
    summary,
    options: OPTIONS,
    help: `Without WORDs it writes stdin. Put -- before a WORD that begins with -, and quotes around one that begins with !.\nExample: fentry ${name} set_ftrace_filter 'handle*'\n`,
    async run(args) {
      const { values, words } = parseOptions(args, OPTIONS);
      const [path, ...rest] = words;
      if (path === undefined) throw new UsageError('name a control file, for example current_tracer; fentry ls lists them');
      const client = await targetOf(values);
      const data = rest.length > 0 ? `${rest.join(' ')}\n` : await readAll(process.stdin);
      await withPath(path, name === 'write' ? client.write(path, data) : client.append(path, data));
      return 0;
    },
  };
}

export const write = writeVerb('write', 'write words to a control file, like echo WORDS > FILE');
export const append = writeVerb('append', 'append words to a control file, like echo WORDS >> FILE');
