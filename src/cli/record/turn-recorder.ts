import { rmSync } from 'node:fs';
import { extname } from 'node:path';
import type { TraceClient } from '../../client/trace-client.js';
import { UndoAtEnd } from '../../client/undo-at-end.js';
import { requestedEvents } from '../../events/event-request.js';
import type { EventName } from '../../events/set-event-word.js';
import { isGone } from '../is-gone.js';
import { startTracing, withBreakpointWarnings } from '../set-up.js';
import type { TracerOptionValues } from '../tracer-options.js';
import { writeFile } from '../write-file.js';
import { composeLive, liveTables, onlyProcess, takeOut } from './live-buffers.js';
import { partsFolder } from './parts-folder.js';

/** What is recorded without -l and -e: the application's own functions, by the tracer that an instance may have. */
const OWN: TracerOptionValues = { own: true };
const TRACER = 'function';
/** The system of the events that tracers record, and markers. */
const OF_TRACERS = 'ftrace';
/** Turns whose history is saved: a program that is slow all the time must not fill a disk. */
const MOST = 10;

/**
 * Records what happens before slow turns of the event loop and in them: an instance overwrites its oldest records, and a snapshot
 * of it is saved for each turn. The process removes the instance when this command is killed.
 */
export class TurnRecorder {
  readonly #top: TraceClient;
  readonly #client: TraceClient;
  readonly #undo: UndoAtEnd;
  readonly #instance: string;
  readonly #file: string;
  readonly #isRecorded: (event: EventName) => boolean;
  #saved = 0;

  private constructor(top: TraceClient, undo: UndoAtEnd, instance: string, file: string, { events = [] }: TracerOptionValues) {
    const patterns = events.map(requestedEvents);
    this.#isRecorded = (event) => event.system === OF_TRACERS || patterns.some((isNamed) => isNamed(event));
    this.#top = top;
    this.#client = top.inside(`${instance}/`);
    this.#undo = undo;
    this.#instance = instance;
    this.#file = file;
  }

  /** Begins to record. @param file of the first turn; further ones have a number before its ending */
  static async begin(top: TraceClient, options: TracerOptionValues, file: string): Promise<TurnRecorder> {
    const undo = await UndoAtEnd.connect(top.socketPath);
    const recorder = new TurnRecorder(top, undo, `instances/slow-${process.pid}`, file, options);
    try {
      await undo.mkdir(recorder.#instance);
      const namesSome = options.function !== undefined || options.events !== undefined;
      await withBreakpointWarnings(top, () =>
        startTracing(recorder.#client, namesSome ? options : { ...OWN, ...options }, TRACER),
      );
      return recorder;
    } catch (error) {
      await recorder.end();
      throw error;
    }
  }

  /** Saves what the buffers have, and empties them; returns the file's name, or undefined if so many are saved already. */
  async save(): Promise<string | undefined> {
    if (this.#saved === MOST) return undefined;
    this.#saved++;
    const ending = extname(this.#file);
    const output =
      this.#saved === 1 ? this.#file : `${this.#file.slice(0, this.#file.length - ending.length)}-${this.#saved}${ending}`;
    const folder = partsFolder(output);
    try {
      await writeFile(this.#client, 'snapshot', '1');
      const tables = await liveTables(this.#client, this.#top, this.#isRecorded);
      const cpus = await takeOut(this.#client, folder, 'snapshot_raw');
      composeLive(output, tables, cpus, onlyProcess(tables, cpus.length));
      return output;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Ends the recording. A process that has ended has none. */
  async end(): Promise<void> {
    try {
      await this.#top.rmdir(this.#instance);
    } catch (error) {
      if (!isGone(error)) throw error;
    } finally {
      this.#undo.close();
    }
  }
}
