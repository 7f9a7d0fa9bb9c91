import { pidOf, type TraceRecord } from '../../record.js';
import type { ProcessInFile } from '../recorded-processes.js';
import type { Track } from './call-visitor.js';

/** The recording's data about the threads whose calls it has. */
export interface TrackSource {
  readonly isFentrys: boolean;
  readonly cmdlines: ReadonlyMap<number, string>;
  readonly processes: readonly ProcessInFile[];
}

/**
 * The tracks of a recording. In fentry's recordings a CPU is a thread; in a kernel's, tasks move between CPUs, except the idle
 * ones.
 */
export class Tracks {
  readonly #source: TrackSource;
  /** CPUs whose tasks are async contexts: the records of the first thread do not have the process's pid. */
  readonly #inContexts = new Set<number>();
  #count = 0;
  #instance = '';

  constructor(source: TrackSource) {
    this.#source = source;
  }

  /** A buffer begins, whose cursors are at their first events. */
  begin(instance: string, cursors: readonly TraceRecord[]): void {
    this.#instance = instance;
    for (const { pid, cpus } of this.#source.processes) {
      const main = cursors.find(({ cpu }) => cpu === cpus[0]);
      if (main !== undefined && pidOf(main) !== pid) for (const cpu of cpus) this.#inContexts.add(cpu);
    }
  }

  /** The key of an event's track. */
  keyOf(record: TraceRecord): number {
    const pid = pidOf(record);
    return this.#source.isFentrys ? record.cpu : pid === 0 ? -1 - record.cpu : pid;
  }

  /** A track that is seen for the first time, at this event. */
  trackOf(record: TraceRecord): Track {
    const { name, tid, process, number = tid } = this.#thread(record);
    const hasContexts = this.#inContexts.has(record.cpu);
    return { index: this.#count++, name, tid, number, process, instance: this.#instance, hasContexts };
  }

  #thread(record: TraceRecord): Pick<Track, 'name' | 'tid' | 'process'> & Partial<Pick<Track, 'number'>> {
    const { processes, isFentrys } = this.#source;
    const pid = pidOf(record);
    const process = isFentrys ? processes.find(({ cpus }) => cpus.includes(record.cpu)) : undefined;
    if (process === undefined) {
      const name = this.#commOf(pid);
      return { name: `${name}-${pid}`, tid: this.#count, process: { pid, name } };
    }
    const number = process.cpus.indexOf(record.cpu);
    if (number === 0) return { name: process.name, tid: process.pid, number, process };
    if (this.#inContexts.has(record.cpu)) return { name: `${process.name} thread ${number}`, tid: number, number, process };
    return { name: `${this.#commOf(pid)}-${pid}`, tid: pid, number, process };
  }

  #commOf(pid: number): string {
    return pid === 0 ? '<idle>' : (this.#source.cmdlines.get(pid) ?? '<...>');
  }
}
