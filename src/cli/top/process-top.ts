import type { TopAnswer } from '../../answers/top/top-answer.js';
import { procStat, STAT, TICKS_PER_SECOND } from '../../base/proc-stat.js';
import { runningThreads } from '../../base/thread-state.js';
import type { TraceableProcess } from '../../client/processes.js';
import type { TraceClient } from '../../client/trace-client.js';
import { busyHint } from '../silent-thread.js';
import { NamedFunctions } from './named-functions.js';
import { added, type Order, type ProfileRow, profileRows, rowsSince, sorted } from './profile-rows.js';
import type { ProfilerUse } from './profiler-use.js';

const NS_PER_US = 1000;

interface Reading {
  readonly time: number;
  readonly cpu: number | undefined;
  /** The threads that ran. */
  readonly running: readonly number[];
  readonly threads: ReadonlyMap<number, readonly ProfileRow[]>;
}

const now = (): number => Number(process.hrtime.bigint()) / 1e9;

/** Reads the profiler of a process again and again: what happened since the last reading. */
export class ProcessTop {
  readonly #client: TraceClient;
  readonly #process: TraceableProcess;
  readonly #use: ProfilerUse;
  readonly #pattern: string | undefined;
  readonly #names: NamedFunctions;
  #last: Reading | undefined;

  /** @param pattern shows only functions that this word of set_ftrace_filter chooses */
  constructor(client: TraceClient, process: TraceableProcess, use: ProfilerUse, pattern: string | undefined) {
    this.#client = client;
    this.#process = process;
    this.#use = use;
    this.#pattern = pattern;
    this.#names = new NamedFunctions(client);
  }

  /** The first reading, which the next one is compared with. */
  async begin(): Promise<void> {
    this.#last = await this.#read();
  }

  /** What happened since the last reading. ENODEV once the process has ended. */
  async next(order: Order): Promise<TopAnswer> {
    const before = this.#last;
    const reading = await this.#read();
    this.#last = reading;
    const threads = Array.from(reading.threads, ([cpu, rows]) => [cpu, rowsSince(rows, before?.threads.get(cpu) ?? [])] as const);
    const rows = added(threads.flatMap(([, rows]) => rows));
    await this.#names.know(rows.map(({ name }) => name));
    const chosen = rows.filter(({ name }) => this.#pattern === undefined || this.#names.isChosen(name, this.#pattern));
    const isOn = await this.#use.isOn();
    const seconds = reading.time - (before?.time ?? 0);
    const cpu = reading.cpu !== undefined && before?.cpu !== undefined ? reading.cpu - before.cpu : undefined;
    const isBusy = reading.running.some((tid) => before?.running.includes(tid));
    return {
      answer: 'top',
      version: 1,
      pid: this.#process.pid,
      application: this.#process.folder,
      program: this.#process.program.name,
      seconds,
      ...(cpu !== undefined && { cpu }),
      order,
      threads: threads.map(([cpu, rows]) => ({ cpu, calls: rows.reduce((sum, { hits }) => sum + hits, 0) })),
      functions: sorted(chosen, order).map(({ name, hits, time }) => ({
        ...this.#names.frame(name),
        calls: hits,
        time: Math.round(time * NS_PER_US),
      })),
      notes: [
        ...(isOn && isBusy && rows.length === 0 ? [busyHint(this.#process.pid)] : []),
        ...(isOn ? [] : ['somebody has switched the profiler off']),
        ...this.#use.notes,
      ],
    };
  }

  async #read(): Promise<Reading> {
    const files = await this.#client.list('trace_stat');
    const threads = await Promise.all(
      files.map(
        async ({ name }) =>
          [Number(name.replace('function', '')), profileRows(await this.#client.read(`trace_stat/${name}`))] as const,
      ),
    );
    const { pid } = this.#process;
    return { time: now(), cpu: cpuTime(pid), running: runningThreads(pid), threads: new Map(threads) };
  }
}

/** The CPU time of a process, in seconds; undefined if it cannot be seen. */
function cpuTime(pid: number): number | undefined {
  const fields = procStat(`/proc/${pid}`);
  return fields && (Number(fields[STAT.USER]) + Number(fields[STAT.SYSTEM])) / TICKS_PER_SECOND;
}
