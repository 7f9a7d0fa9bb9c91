import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TraceError } from '../../base/errno.js';
import { withWallTime } from '../../base/wall-time.js';
import type { TraceClient } from '../../client/trace-client.js';
import { EventRegistry } from '../../events/registry.js';
import { rebasePage, rebaseSymbols } from '../../output/trace-dat/index.js';
import { type Part, partName, slotName, statsOf } from '../../recording/part-files.js';
import type { RecordingSpace } from '../../recording/recording-space.js';
import { SegmentWriter } from '../../recording/segment-writer.js';
import { DEFAULT_SUBBUF_BYTES } from '../../ring-buffer/index.js';
import { writeFile } from '../write-file.js';
import { clockOf, liveTables } from './live-buffers.js';

/** How often a running process is read, in milliseconds. */
export interface ReadingPace {
  /** Between reads of buffers that have little. */
  readonly pause: number;
  /** Between readings of the names, which `restore` needs. */
  readonly tables: number;
}

const RECORDING_PACE: ReadingPace = { pause: 100, tables: 10_000 };
/** If a read gave so many bytes, the next read follows at once. */
const MUCH = 1 << 16;

/** Codes of an answer that was cut short. */
const CUT_SHORT: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Whether an error means that the process has ended. */
function isGone(error: unknown): boolean {
  if (error instanceof TraceError) return error.errno === 'ENODEV';
  return CUT_SHORT.has((error as NodeJS.ErrnoException).code);
}

/** The numbers of a text of per_cpu/cpuN/stats in lines of these names, together. */
const statOf = (stats: string, names: RegExp): number =>
  Array.from(stats.matchAll(names)).reduce((sum, [, n]) => sum + Number(n), 0);

interface TakenCpu {
  readonly file: SegmentWriter;
  stats: string;
}

/** Reads the buffers of a running process into the files that a process which records itself would leave. */
export class LiveRecording {
  /** Whether the process has ended. */
  hasEnded = false;
  readonly #client: TraceClient;
  readonly #folder: string;
  readonly #space: RecordingSpace;
  readonly #slot: number;
  /** Addresses in records of all others are moved when the recording is made, as their ids are. */
  readonly #ftraceEvents = new EventRegistry();
  readonly #cpus = new Map<number, TakenCpu>();
  #nextTables = 0;
  readonly #pace: ReadingPace;

  /**
   * @param slot the process's number in the recording
   * @param pace how often it is read; as fast as for a recording when left out
   */
  constructor(client: TraceClient, folder: string, space: RecordingSpace, slot: number, pace: ReadingPace = RECORDING_PACE) {
    this.#client = client;
    this.#folder = folder;
    this.#space = space;
    this.#slot = slot;
    this.#pace = pace;
    writeFileSync(join(folder, slotName(slot)), String(client.pid), { mode: 0o600 });
    this.#replace('command', commandOf(client.pid));
  }

  /** Lost events, by the CPUs' statistics. */
  get lost(): number {
    return this.#sum(/^(?:overrun|dropped events): (\d+)$/gm);
  }

  get bytes(): number {
    return Array.from(this.#cpus.values()).reduce((sum, { file }) => sum + file.bytes, 0);
  }

  /** @param taken is called after each read of the buffers */
  async run(enough: Promise<unknown>, taken: () => void): Promise<void> {
    let isOver = false;
    const over = enough.finally(() => {
      isOver = true;
    });
    try {
      while (!isOver) {
        await this.#writeTables(false);
        const bytes = await this.#take();
        taken();
        if (bytes < MUCH) await Promise.race([over, sleep(this.#pace.pause)]);
      }
      await writeFile(this.#client, 'tracing_on', '0');
      while ((await this.#take()) > 0);
      await this.#writeTables(true);
    } catch (error) {
      if (!isGone(error)) throw error;
      this.hasEnded = true;
      this.#replace('cut', '');
    } finally {
      for (const { file } of this.#cpus.values()) file.close();
    }
  }

  /** Returns the number of bytes that were read. */
  async #take(): Promise<number> {
    const before = this.bytes;
    for (const { name } of await this.#client.list('per_cpu')) {
      const stats = withWallTime(await this.#client.read(`per_cpu/${name}/stats`));
      const number = Number(name.replace('cpu', ''));
      const cpu = this.#cpuOf(number);
      cpu.stats = stats;
      await this.#takeCpu(name, cpu.file);
      if (cpu.file.bytes > 0) this.#replace(statsOf(number), stats);
    }
    const progress = { events: this.#sum(/^read events: (\d+)$/gm), lost: this.lost, bytes: this.bytes };
    this.#replace('progress', JSON.stringify(progress));
    return this.bytes - before;
  }

  /** Reads what a CPU's buffer has; a sub-buffer that was cut off by the end of the process is left out. */
  async #takeCpu(name: string, file: SegmentWriter): Promise<void> {
    let rest: Uint8Array = new Uint8Array(0);
    for await (const chunk of await this.#client.openNow(`per_cpu/${name}/trace_pipe_raw`)) {
      const bytes = Buffer.concat([rest, chunk as Uint8Array]);
      const whole = bytes.length - (bytes.length % DEFAULT_SUBBUF_BYTES);
      rest = bytes.subarray(whole);
      file.write(this.#rebased(bytes.subarray(0, whole)));
    }
  }

  /** The sub-buffers with addresses that are this process's alone. */
  #rebased(bytes: Uint8Array): Uint8Array {
    if (this.#slot === 0 || bytes.length === 0) return bytes;
    // Aligned to words, which a piece of a stream need not be.
    const pages = new Uint8Array(bytes);
    for (let at = 0; at < pages.length; at += DEFAULT_SUBBUF_BYTES) {
      rebasePage(pages.subarray(at, at + DEFAULT_SUBBUF_BYTES), this.#slot, this.#ftraceEvents);
    }
    return pages;
  }

  /** Reads the names again. Does nothing if the process has ended. */
  async refreshTables(): Promise<void> {
    try {
      await this.#writeTables(true);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async #writeTables(isLast: boolean): Promise<void> {
    const now = performance.now();
    if (now < this.#nextTables && !isLast) return;
    this.#nextTables = now + this.#pace.tables;
    const { kallsyms, places, events, comms, traceClock } = await liveTables(this.#client, this.#client);
    this.#replace('symbols', rebaseSymbols(kallsyms, this.#slot));
    this.#replace('places', rebaseSymbols(places, this.#slot));
    this.#replace('events', events);
    this.#replace('comms', comms);
    this.#replace('clock', clockOf(traceClock));
  }

  #cpuOf(cpu: number): TakenCpu {
    let taken = this.#cpus.get(cpu);
    if (taken === undefined) {
      taken = { file: new SegmentWriter(this.#folder, this.#space, this.#client.pid, cpu), stats: '' };
      this.#cpus.set(cpu, taken);
    }
    return taken;
  }

  #sum(names: RegExp): number {
    return Array.from(this.#cpus.values()).reduce((sum, { stats }) => sum + statOf(stats, names), 0);
  }

  #replace(part: Part, text: string): void {
    this.#space.replaceFile(partName(this.#client.pid, part), text);
  }
}

/** The command line, as /proc has it. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
