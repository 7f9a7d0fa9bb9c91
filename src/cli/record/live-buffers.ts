import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { TraceError } from '../../base/errno.js';
import { VERSION } from '../../base/version.js';
import { withWallTime } from '../../base/wall-time.js';
import type { TraceClient } from '../../client/trace-client.js';
import type { EventName } from '../../events/set-event-word.js';
import {
  type CpuData,
  formatText,
  MergedEvents,
  numberedThrough,
  type ProcessThreads,
  parseEventFormats,
  writeTraceDat,
} from '../../output/trace-dat/index.js';
import { DEFAULT_SUBBUF_BYTES } from '../../ring-buffer/index.js';
import { parseComms } from '../comm-lines.js';
import { eventFolder, eventsOf } from '../process-events.js';

/** A CPU whose sub-buffers were saved to a file. */
export interface TakenCpu extends CpuData {
  readonly bytes: number;
}

/** What a recording has besides events. */
export interface LiveTables {
  readonly kallsyms: string;
  /** Places of symbols, as kallsyms_places has them; '' of a process with an older fentry, which has no such file. */
  readonly places: string;
  /** The format files of the events, as parts of a recording have them. */
  readonly events: string;
  readonly pid: number;
  readonly comms: string;
  readonly traceClock: string;
}

/** Consumes each CPU's sub-buffers, or those of its snapshot, and appends them to a file in the folder. */
export async function takeOut(
  client: TraceClient,
  folder: string,
  from: 'trace_pipe_raw' | 'snapshot_raw' = 'trace_pipe_raw',
): Promise<readonly TakenCpu[]> {
  const cpus: TakenCpu[] = [];
  for (const { name } of await client.list('per_cpu')) {
    const stats = withWallTime(await client.read(`per_cpu/${name}/stats`));
    const file = join(folder, name);
    const sink = createWriteStream(file, { flags: 'a' });
    await pipeline(await client.openNow(`per_cpu/${name}/${from}`), sink);
    cpus.push({ files: [file], stats, bytes: sink.bytesWritten });
  }
  return cpus;
}

/**
 * Reads the tables; names are the top level's, the clock is that of the buffers.
 * @param isRecorded which events the buffers can have; absent: all
 */
export async function liveTables(
  client: TraceClient,
  top: TraceClient,
  isRecorded: (event: EventName) => boolean = () => true,
): Promise<LiveTables> {
  return {
    kallsyms: await top.read('kallsyms'),
    places: await top.read('kallsyms_places').catch(noSuchFile),
    events: await eventFormats(top, isRecorded),
    pid: top.pid,
    comms: await top.read('saved_cmdlines'),
    traceClock: await client.read('trace_clock'),
  };
}

function noSuchFile(error: unknown): string {
  if (error instanceof TraceError && error.errno === 'ENOENT') return '';
  throw error;
}

/** The format files of events. */
async function eventFormats(client: TraceClient, isRecorded: (event: EventName) => boolean): Promise<string> {
  let text = '';
  for (const event of (await eventsOf(client)).filter(isRecorded))
    text += formatText(event.system, await client.read(`${eventFolder(event)}/format`));
  return text;
}

/** The clock in brackets in trace_clock. */
export const clockOf = (text: string): string => /\[(\S+)\]/.exec(text)?.[1] ?? 'local';

/** Makes a trace.dat from the saved sub-buffers of some processes, whose CPUs get consecutive numbers. Returns its bytes. */
export function composeLive(
  output: string,
  { kallsyms, places, events, comms, traceClock }: Omit<LiveTables, 'pid'>,
  cpus: readonly CpuData[],
  processes: readonly ProcessThreads[],
): number {
  const cmdlines = parseComms(comms);
  const merged = new MergedEvents();
  merged.add(parseEventFormats(events), 0);
  const { bytes } = writeTraceDat(output, {
    subbufBytes: DEFAULT_SUBBUF_BYTES,
    buffers: [{ name: '', clock: clockOf(traceClock), cpus }],
    kallsyms: [kallsyms],
    ...(places !== '' && { places: [places] }),
    events: merged,
    cmdlines,
    processes: numberedThrough(processes),
    traceClock,
    version: VERSION,
  });
  return bytes;
}

/** The one process that tables are of. */
export function onlyProcess({ pid, comms }: LiveTables, threads: number): readonly ProcessThreads[] {
  return [{ pid, name: parseComms(comms).find(([task]) => task === pid)?.[1] ?? 'node', threads }];
}
