import { buffer as readAll } from 'node:stream/consumers';
import { TraceError } from '../../base/errno.js';
import type { TraceClient } from '../../client/trace-client.js';
import { optionsFirst, PID_OPTION, parseOptions } from '../arguments.js';
import { withPath } from '../path-error.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';
import { whileWorking } from '../while-working.js';

const OPTIONS = { ...PID_OPTION } as const;

type Write = 'write' | 'append';

/** Writes lines one by one, as a shell's echo does: `trigger` and `filter` take one at a time. */
async function writeLines(client: TraceClient, name: Write, path: string, lines: readonly string[]): Promise<void> {
  for (const [i, line] of lines.entries()) {
    const isFirst = name === 'write' && i === 0;
    try {
      await withPath(path, isFirst ? client.write(path, `${line}\n`) : client.append(path, `${line}\n`));
    } catch (error) {
      if (!(error instanceof TraceError) || lines.length === 1) throw error;
      const where = `in line ${i + 1} of ${lines.length}, '${line}'; each word is a line, and quotes keep words in one`;
      throw new TraceError(error.errno, `${error.message}, ${where}`);
    }
  }
}

/** `write` and `append`: `echo LINE > FILE` and `echo LINE >> FILE` for each line; without lines, what comes in on stdin. */
function writeVerb(name: Write, summary: string): Verb {
  return {
    name,
    synopsis: '[--pid PID] FILE [LINE...]',
    summary,
    options: OPTIONS,
    help: `Each LINE is an argument: quotes keep its words together, also around a ! at its beginning. Put -- before a LINE that looks like an
option of this verb. Without LINEs it writes stdin.
Examples: fentry ${name} set_ftrace_filter 'handle*' ':mod:express'
          fentry ${name} kprobe_events 'p:order placeOrder id=$arg1' -:query
`,
    async run(args) {
      const { values, words } = parseOptions(optionsFirst(args, OPTIONS), OPTIONS);
      const [path, ...lines] = words;
      if (path === undefined) throw new UsageError('name a control file, for example current_tracer; fentry ls lists them');
      const client = await targetOf(values);
      const data = lines.length > 0 ? undefined : await readAll(process.stdin);
      await whileWorking(client.socketPath, `writing ${path} of process ${client.pid}`, async () => {
        if (data === undefined) await writeLines(client, name, path, lines);
        else await withPath(path, name === 'write' ? client.write(path, data) : client.append(path, data));
      });
      return 0;
    },
  };
}

export const write = writeVerb('write', 'write lines to a control file, like echo LINE > FILE');
export const append = writeVerb('append', 'append lines to a control file, like echo LINE >> FILE');
