import { connectTo } from '../../client/processes.js';
import { parseOptions } from '../arguments.js';
import { inspectorLeft } from '../attach/inspector-left.js';
import { inspectorOptions } from '../attach/inspector-options.js';
import { startFacts } from '../attach/process-facts.js';
import { print } from '../output.js';
import { withPath } from '../path-error.js';
import type { Verb } from '../verb.js';
import { whileWorking } from '../while-working.js';
import { pidOf } from './attach.js';

const OPTIONS = { pid: { type: 'string', short: 'P' } } as const;

export const detach: Verb = {
  name: 'detach',
  synopsis: 'PID',
  summary: 'remove fentry from a process that it was attached to',
  options: OPTIONS,
  help: 'Ends all tracing in the process and undoes the changes, like echo 0 > attached.\n',
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const pid = pidOf(words, values.pid);
    const client = await connectTo(pid);
    const what = `detaching from process ${pid}`;
    await whileWorking(client.socketPath, what, () => withPath('attached', client.write('attached', '0\n')));
    print(`detached from process ${pid}\n`);
    const left = await openedInspector(pid);
    if (left !== undefined) process.stderr.write(`fentry: ${left}\n`);
    return 0;
  },
};

/** An inspector that listens where a signal opens it, in a process that did not ask for one when it started. */
async function openedInspector(pid: number): Promise<string | undefined> {
  const { arguments: words, environment } = startFacts(pid);
  const { port, listens } = inspectorOptions(words, environment['NODE_OPTIONS']);
  return listens || port === 0 ? undefined : inspectorLeft(pid, port);
}
