import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Program, programOf } from '../../client/program.js';
import type { EventFormat } from '../../events/define.js';
import { type CountConversion, parseEventFormats } from '../../output/trace-dat/index.js';
import { type Part, partName, partPath, slotName, slotsIn, statsOf } from '../../recording/part-files.js';
import { DROP_REASONS, type DropReason } from '../../recording/recording-space.js';
import { segmentFiles } from '../../recording/segment-files.js';
import { parseComms } from '../comm-lines.js';
import { processName } from './process-names.js';

/** What one process left in the folder of a recording. */
export interface ProcessParts {
  readonly pid: number;
  /** The process's number in the recording. */
  readonly slot: number;
  /**
   * For each cpu of that process: the files of sub-buffers, the oldest first, and the text of per_cpu/cpuN/stats if it was
   * written.
   */
  readonly cpus: readonly { readonly files: readonly string[]; readonly stats?: string }[];
  /** File of kallsyms lines. */
  readonly symbols: string | undefined;
  /** File of kallsyms_places lines. */
  readonly places: string | undefined;
  /** The process's events that got their ids at run time. */
  readonly formats: readonly EventFormat[];
  readonly comms: readonly (readonly [pid: number, comm: string])[];
  /** The clock of the records; undefined if the process ended before it wrote it. */
  readonly clock: string | undefined;
  /** The program that it ran, as short as a task's name; undefined if it was not written. */
  readonly name: string | undefined;
  /** Whether the process is npm, npx, or another program that starts the application. */
  readonly isManager: boolean;
  /** Events that were taken out of its buffers, those that found no room there, and the bytes of all. */
  readonly events: number;
  readonly lost: number;
  readonly bytes: number;
  /** Whether the process was ended in the midst: some events that are in its files were not counted. */
  readonly isCut: boolean;
}

/** What is there of a process that did not end its recording (LastPages; of one that another process reads, `cut`). */
const CUT = ['open', 'asked', 'cut'] as const;

/** Numbers of a recording, as they grow. */
export interface Progress {
  readonly events: number;
  readonly lost: number;
  readonly bytes: number;
}

/** The file with the conversion of counts, in JSON, if one is asked for. */
export const CONVERSION_FILE = 'conversion';

const readIfThere = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

const programIn = (command: string | undefined): Program | undefined =>
  command === undefined ? undefined : programOf(command.replace(/\0+$/, '').split('\0'), '/');

function progressOf(path: string): Progress | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Progress;
  } catch {
    // It was replaced at this moment, and the next look finds it; or it was never written.
    return undefined;
  }
}

/** The processes of a recording, in the order in which they began. */
export function recordedProcesses(folder: string): readonly ProcessParts[] {
  const names = readdirSync(folder);
  const segments = segmentFiles(folder);
  return slotsIn(names).map((slot) => {
    const pid = Number(readFileSync(join(folder, slotName(slot)), 'utf8'));
    const path = (part: Part): string => partPath(folder, pid, part);
    const own = segments.filter((one) => one.pid === pid);
    const cpus = [...new Set(own.map(({ cpu }) => cpu))].map((cpu) => {
      const stats = readIfThere(path(statsOf(cpu)));
      const files = own.filter((one) => one.cpu === cpu).map(({ path }) => path);
      return { files, ...(stats !== undefined && { stats }) };
    });
    const symbols = path('symbols');
    const places = path('places');
    const { events = 0, lost = 0, bytes = 0 } = progressOf(path('progress')) ?? {};
    const program = programIn(readIfThere(path('command')));
    const comms = parseComms(readIfThere(path('comms')) ?? '');
    return {
      pid,
      slot,
      cpus,
      symbols: existsSync(symbols) ? symbols : undefined,
      places: existsSync(places) ? places : undefined,
      formats: parseEventFormats(readIfThere(path('events')) ?? ''),
      comms,
      clock: readIfThere(path('clock')),
      name: program && processName(program),
      isManager: program?.kind === 'manager',
      events,
      lost,
      bytes,
      isCut: CUT.some((part) => names.includes(partName(pid, part))),
    };
  });
}

/** How the times of a recording become nanoseconds; undefined: that was not asked for. */
export function recordedConversion(folder: string): CountConversion | undefined {
  const text = readIfThere(join(folder, CONVERSION_FILE));
  return text === undefined ? undefined : (JSON.parse(text) as CountConversion);
}

/** The numbers of processes together. */
export const recordingProgress = (processes: readonly ProcessParts[]): Progress =>
  processes.reduce(
    (sum, { events, lost, bytes }) => ({ events: sum.events + events, lost: sum.lost + lost, bytes: sum.bytes + bytes }),
    { events: 0, lost: 0, bytes: 0 },
  );

/** Why the oldest events of a recording were thrown away; empty if all are there. */
export function dropReasons(folder: string): readonly DropReason[] {
  return DROP_REASONS.filter((reason) => existsSync(join(folder, `dropped.${reason}`)));
}
