import type { CpuCursor } from '../cpu-cursor.js';
import type { RecordedProcess } from '../recorded-processes.js';
import type { Track } from './call-visitor.js';

/** What a recording says of the threads whose calls it has. */
export interface TrackSource {
  readonly isFentrys: boolean;
  readonly cmdlines: ReadonlyMap<number, string>;
  readonly processes: readonly RecordedProcess[];
}

const pidOf = ({ words, word }: CpuCursor): number => words[word + 1]!;

/** The tracks of a recording. In fentry's a CPU is a thread; in a kernel's tasks move from one to another, but for the idle ones. */
export class Tracks {
  readonly #source: TrackSource;
  /** CPUs whose records have async contexts for tasks: the first thread's do not have the process's pid. */
  readonly #inContexts = new Set<number>();
  #count = 0;

  constructor(source: TrackSource) {
    this.#source = source;
  }

  /** The cursors stand on their first events. */
  begin(cursors: readonly CpuCursor[]): void {
    for (const { pid, cpus } of this.#source.processes) {
      const main = cursors.find(({ cpu }) => cpu === cpus[0]);
      if (main !== undefined && pidOf(main) !== pid) for (const cpu of cpus) this.#inContexts.add(cpu);
    }
  }

  /** What tells the track of an event from others. */
  keyOf(cursor: CpuCursor): number {
    const pid = pidOf(cursor);
    return this.#source.isFentrys ? cursor.cpu : pid === 0 ? -1 - cursor.cpu : pid;
  }

  /** A track that was met for the first time, at this event. */
  trackOf(cursor: CpuCursor): Track {
    const { processes, isFentrys } = this.#source;
    const index = this.#count++;
    const pid = pidOf(cursor);
    const process = isFentrys ? processes.find(({ cpus }) => cpus.includes(cursor.cpu)) : undefined;
    if (process === undefined) {
      const name = this.#commOf(pid);
      return { index, name: `${name}-${pid}`, tid: index, process: { pid, name } };
    }
    if (cursor.cpu === process.cpus[0]) return { index, name: process.name, tid: process.pid, process };
    if (this.#inContexts.has(cursor.cpu)) {
      const tid = process.cpus.indexOf(cursor.cpu);
      return { index, name: `${process.name} thread ${tid}`, tid, process };
    }
    return { index, name: `${this.#commOf(pid)}-${pid}`, tid: pid, process };
  }

  #commOf(pid: number): string {
    return pid === 0 ? '<idle>' : (this.#source.cmdlines.get(pid) ?? '<...>');
  }
}
