import { TraceError } from '../../base/errno.js';
import type { TraceClient } from '../../client/trace-client.js';
import { UndoAtEnd } from '../../client/undo-at-end.js';
import { listedProbes } from '../probe/listed-probe.js';
import { parsePerfDefinition } from '../probe/perf-definition.js';
import { probeLine } from '../probe/probe-line.js';
import { UsageError } from '../verb.js';
import type { LiveProcess } from './live-processes.js';

/** The file with all probes. */
const PROBES = 'dynamic_events';
/** The size of each thread's buffer for hits, in KB: the page shows the last ones only. */
const BUFFER_KB = '64';
/** Numbers the instances of this process. */
let instances = 0;

/** Adds a probe, defined as `fentry probe` takes it; its name is `GROUP:EVENT`. Throws TraceError as dynamic_events. */
export async function addProbe(one: LiveProcess, client: TraceClient, definition: string): Promise<{ readonly name: string }> {
  const before = listedProbes(await client.read(PROBES));
  const taken = (name: string): boolean => before.some(({ group, event }) => `${group}/${event}` === name);
  const { group, event, line } = await probeLine(client, parsed(definition), taken, true);
  await client.append(PROBES, `${line}\n`);
  const name = `${group}/${event}`;
  one.changes.note({
    what: `${PROBES} ${name}`,
    before: '',
    now: line,
    undo: [{ path: PROBES, text: `-:${name}`, append: true }],
  });
  for (const instance of one.hitInstances) await showHits(instance, name).catch(ended);
  return { name: `${group}:${event}` };
}

/** Removes a probe, given as `GROUP:EVENT`. TraceError ENOENT if there is none. */
export async function removeProbe(one: LiveProcess, client: TraceClient, name: string): Promise<void> {
  const found = listedProbes(await client.read(PROBES)).find(({ group, event }) => `${group}:${event}` === name);
  if (found === undefined) throw new TraceError('ENOENT', `there is no probe ${name}`);
  const { group, event, place, args } = found;
  const path = `${group}/${event}`;
  await one.hideHits(path);
  await client.append(PROBES, `-:${path}\n`);
  const line = [`p:${path}`, place, ...args].join(' ');
  one.changes.note({ what: `${PROBES} ${path}`, before: line, now: '', undo: [{ path: PROBES, text: line, append: true }] });
}

function parsed(definition: string) {
  try {
    return parsePerfDefinition(definition);
  } catch (error) {
    if (error instanceof UsageError) throw new TraceError('EINVAL', error.message);
    throw error;
  }
}

/**
 * Hits of all probes, in an instance of their own: what others trace is not touched. The instance is removed at the end, also if
 * this process is killed.
 */
export async function* probeHits(one: LiveProcess, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const name = `fentry-ui-${process.pid}-${++instances}`;
  const undo = await UndoAtEnd.connect(one.traceable.socketPath);
  const instance = one.client.inside(`instances/${name}/`);
  try {
    await undo.mkdir(`instances/${name}`);
    await instance.write('buffer_size_kb', `${BUFFER_KB}\n`);
    for (const { group, event } of listedProbes(await one.client.read(PROBES))) await showHits(instance, `${group}/${event}`);
    one.hitInstances.add(instance);
    yield* undo.follow(`instances/${name}/trace_pipe`, signal);
  } finally {
    // An event that is on keeps its probe: the process removes the instance only after this.
    await instance.write('events/enable', '0\n').catch(ended);
    one.hitInstances.delete(instance);
    undo.close();
  }
}

const showHits = (instance: TraceClient, probe: string): Promise<void> => instance.write(`events/${probe}/enable`, '1\n');

/** The page of an instance may be closed at the same time. */
function ended(error: unknown): void {
  if (!(error instanceof TraceError)) throw error;
}
