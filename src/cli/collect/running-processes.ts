import { setTimeout as sleep } from 'node:timers/promises';
import { applicationsOf } from '../../client/applications.js';
import { type TraceableProcess, traceableProcesses } from '../../client/processes.js';
import { TraceClient } from '../../client/trace-client.js';
import { RecordingSpace } from '../../recording/recording-space.js';
import { complain } from '../output.js';
import { BufferHold } from '../record/buffer-hold.js';
import { LiveRecording, type ReadingPace } from '../record/live-recording.js';
import { startTracing, withBreakpointWarnings } from '../set-up.js';
import type { TracerOptionValues } from '../tracer-options.js';
import { type LinesWanted, ProcessLines } from './process-lines.js';

/** Milliseconds between two looks for new processes. */
const LOOK = 1000;
/** Many processes are read seldom; names when records need them, and once in a while. */
const PACE: ReadingPace = { pause: 500, tables: 600_000 };

interface Recorded {
  readonly recording: LiveRecording;
  isOver: boolean;
}

/** Records processes that run, those that start later too, into a folder. */
export class RunningProcesses {
  readonly #folder: string;
  readonly #tracing: TracerOptionValues;
  readonly #lines: LinesWanted;
  readonly #end: AbortSignal;
  readonly #space: RecordingSpace;
  readonly #recorded = new Map<number, Recorded>();
  /** The pids of processes that cannot be recorded: they are not asked again. */
  readonly #refused = new Set<number>();
  readonly #running: Promise<void>[] = [];

  constructor(folder: string, tracing: TracerOptionValues, bytes: number, lines: LinesWanted, end: AbortSignal) {
    this.#folder = folder;
    this.#tracing = tracing;
    this.#lines = lines;
    this.#end = end;
    this.#space = new RecordingSpace(folder, { bytes });
  }

  /** Whether more of a process may come. */
  isRecorded(pid: number): boolean {
    return this.#recorded.get(pid)?.isOver === false;
  }

  /** Has the names of a process written again. */
  async refresh(pid: number): Promise<void> {
    await this.#recorded.get(pid)?.recording.refreshTables();
  }

  /** Records until the end; then leaves the processes as they were. */
  async run(): Promise<void> {
    while (!this.#end.aborted) {
      for (const process of applicationsOf(await traceableProcesses())) {
        if (!this.#end.aborted && !this.#recorded.has(process.pid) && !this.#refused.has(process.pid)) await this.#begin(process);
      }
      await sleep(LOOK, undefined, { signal: this.#end }).catch(() => {});
    }
    await Promise.all(this.#running);
  }

  async #begin({ pid, socketPath, program }: TraceableProcess): Promise<void> {
    const client = new TraceClient(pid, socketPath);
    let hold: BufferHold | undefined;
    try {
      hold = await BufferHold.take(client);
      await withBreakpointWarnings(client, () => startTracing(client, this.#tracing));
      const recorded = {
        recording: new LiveRecording(client, this.#folder, this.#space, this.#recorded.size, PACE),
        isOver: false,
      };
      this.#recorded.set(pid, recorded);
      this.#running.push(this.#record(client, recorded, hold));
    } catch (error) {
      this.#refused.add(pid);
      complain(`process ${pid} (${program.name}) is not collected: ${(error as Error).message}`);
      await hold?.release().catch(() => {});
    }
  }

  async #record(client: TraceClient, recorded: Recorded, hold: BufferHold): Promise<void> {
    const { recording } = recorded;
    const ended = new Promise<void>((resolve) => this.#end.addEventListener('abort', () => resolve(), { once: true }));
    void new ProcessLines(client, this.#folder, this.#end).follow(this.#lines);
    try {
      await recording.run(ended, () => {});
      if (!recording.hasEnded) await hold.release();
    } catch (error) {
      complain(`process ${client.pid} is no longer collected: ${(error as Error).message}`);
      await hold.release().catch(() => {});
    } finally {
      recorded.isOver = true;
    }
  }
}
