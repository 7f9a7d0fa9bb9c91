import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { TraceError } from '../../base/errno.js';
import type { TraceClient } from '../../client/trace-client.js';
import { resetTracing, startTracing, withBreakpointWarnings, writeFile } from '../set-up.js';
import type { TracerOptions } from '../tracer-options.js';
import { composeLive, type LiveTables, liveTables, type TakenCpu, takeOut } from './live-buffers.js';
import { partsFolder } from './parts-folder.js';
import { byteText, ProgressLine } from './progress-line.js';
import { RECORD_BUFFER_KB } from './start-parameters.js';

/** Milliseconds between looks at buffers that hold little. */
const PAUSE = 100;
/** Bytes of all buffers together that are worth another look at once. */
const MUCH = 1 << 16;

type Complain = (message: string) => void;

/**
 * Records a running process and leaves it as a fresh one.
 * @param enough is called once it is traced; the recording ends when what it returns settles, or when the process ends
 * Rejects with a TraceError when tracing cannot be started.
 */
export async function recordProcess(
  client: TraceClient,
  options: TracerOptions,
  output: string,
  enough: () => Promise<unknown>,
  complain: Complain,
): Promise<void> {
  const folder = partsFolder(output);
  let isNeeded = false;
  try {
    const bufferSize = bufferKb(await client.read('buffer_size_kb'));
    const settings = { buffer: String(RECORD_BUFFER_KB), ...options };
    await withBreakpointWarnings(client, () => startTracing(client, settings));
    const recording = new LiveRecording(client, folder, await liveTables(client, client));
    isNeeded = true;
    try {
      await recording.run(enough());
    } finally {
      // Where the disk is full, too, nobody takes out what the process would go on to trace.
      if (!recording.hasEnded) await leave(client, bufferSize);
    }
    const bytes = composeLive(output, recording.tables, recording.cpus);
    isNeeded = false;
    complain(
      `${recording.hasEnded ? 'the process has ended; ' : ''}${recording.lost} events lost; ${output} has ${byteText(bytes)}`,
    );
  } finally {
    if (isNeeded) complain(`what was recorded is in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

/** The size in buffer_size_kb: `1408`, or before anything was traced `7 (expanded: 1408)`. */
export function bufferKb(text: string): string {
  return /(\d+)\)?\n$/.exec(text)?.[1] ?? '';
}

/** Leaves a process as a fresh one, with the buffers' size that it had. */
export async function leave(client: TraceClient, bufferSize: string): Promise<void> {
  await resetTracing(client);
  await writeFile(client, 'buffer_size_kb', bufferSize);
}

/** Codes of an answer that was cut short. */
const CUT_SHORT: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Whether an error means that the process has ended. */
function isGone(error: unknown): boolean {
  if (error instanceof TraceError) return error.errno === 'ENODEV';
  return CUT_SHORT.has((error as NodeJS.ErrnoException).code);
}

/** What is taken out of a process while it runs. */
export class LiveRecording {
  tables: LiveTables;
  cpus: readonly TakenCpu[] = [];
  /** Whether the process has ended. */
  hasEnded = false;
  readonly #client: TraceClient;
  readonly #folder: string;
  #bytes = 0;

  constructor(client: TraceClient, folder: string, tables: LiveTables) {
    this.#client = client;
    this.#folder = folder;
    this.tables = tables;
  }

  /** Events that found no room, as the CPUs' statistics have them. */
  get lost(): number {
    return this.cpus.reduce((sum, { stats = '' }) => {
      return sum + Array.from(stats.matchAll(/^(?:overrun|dropped events): (\d+)$/gm)).reduce((all, [, n]) => all + Number(n), 0);
    }, 0);
  }

  /** @param isShown whether a line on the terminal tells how it goes on */
  async run(enough: Promise<unknown>, isShown = true): Promise<void> {
    const line = isShown ? new ProgressLine() : undefined;
    let isOver = false;
    const over = enough.finally(() => {
      isOver = true;
    });
    try {
      while (!isOver) {
        const bytes = await this.#take();
        line?.show(`fentry: recording: ${byteText(this.#bytes)}, ${this.lost} events lost`);
        if (bytes < MUCH) await Promise.race([over, sleep(PAUSE)]);
      }
      await writeFile(this.#client, 'tracing_on', '0');
      while ((await this.#take()) > 0);
      this.tables = await liveTables(this.#client, this.#client);
    } catch (error) {
      if (!isGone(error)) throw error;
      this.hasEnded = true;
    } finally {
      line?.clear();
    }
  }

  /** Returns how many bytes were there. */
  async #take(): Promise<number> {
    this.cpus = await takeOut(this.#client, this.#folder);
    const bytes = this.cpus.reduce((sum, cpu) => sum + cpu.bytes, 0);
    this.#bytes += bytes;
    return bytes;
  }
}
