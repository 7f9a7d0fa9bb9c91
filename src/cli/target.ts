import { TraceError } from '../base/errno.js';
import { connectTo } from '../client/processes.js';
import type { TraceClient } from '../client/trace-client.js';
import { numberOption } from './arguments.js';
import { didYouMean } from './nearest.js';
import { complain } from './output.js';
import { UsageError } from './verb.js';

/** What --help says of -B. */
export const INSTANCE_HELP = '  -B NAME   work on this instance\n';

/** Which process, and which of its instances. */
interface Target {
  readonly pid?: string;
  readonly instance?: string;
}

/**
 * The client of the process that --pid names, or of the only application; with -B its paths are those of an instance. ENOENT if
 * there is no such instance, unless the verb creates it.
 */
export async function targetOf({ pid, instance }: Target, { makesInstance = false } = {}): Promise<TraceClient> {
  const client = await connectTo(pid === undefined ? undefined : numberOption('--pid', pid, 1), complain);
  if (instance === undefined) return client;
  if (!/^[^/]+$/.test(instance)) throw new UsageError(`-B ${instance}: an instance's name has no slash`);
  const known = (await client.list('instances')).map(({ name }) => name);
  const exists = known.includes(instance);
  if (!exists && !makesInstance) throw new TraceError('ENOENT', `there is no instance ${instance}${didYouMean(instance, known)}`);
  if (!exists) await client.mkdir(`instances/${instance}`);
  return client.inside(`instances/${instance}/`);
}
