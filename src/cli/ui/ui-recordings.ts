import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UiRecording } from '../../answers/live/live-answer.js';
import { TraceError } from '../../base/errno.js';
import { RecordingSpace } from '../../recording/recording-space.js';
import { ChangedSettings } from '../changed-settings.js';
import { isEmptyFilter } from '../is-empty-filter.js';
import type { PageRoute } from '../open/page-server.js';
import { recordingRoutes } from '../open/recording-routes.js';
import { finishRecording } from '../record/finish-recording.js';
import { LiveRecording } from '../record/live-recording.js';
import { partsFolder, removeParts } from '../record/parts-folder.js';
import type { LiveProcess } from './live-processes.js';

/** A recording does not get larger: the newest of it is kept. */
const LIMITS = { bytes: 64 << 20 } as const;
/** The functions that belong to no package. */
const OWN = '*:mod:!*';

/** The recordings that pages make: files that end with this command. */
export class UiRecordings {
  #folder: string | undefined;
  readonly #files: string[] = [];
  readonly #routes = new Map<string, readonly PageRoute[]>();

  /**
   * Records a process for some seconds, or with 0 takes what its buffers have: with the tracer that is on, or if there is none
   * with function_graph. Afterwards its settings are what they were.
   * @param isOwnOnly records the application's own functions, if nobody has chosen others
   * @param stop ends it sooner
   * @throws TraceError EBUSY while somebody else records the process
   */
  async record(one: LiveProcess, seconds: number, isOwnOnly: boolean, stop: AbortSignal): Promise<UiRecording> {
    const { client } = one;
    // Whoever records has set it.
    const isHeld = (await client.read('options/disable_on_free')).trim() === '1';
    if (one.isRecorded || isHeld) throw new TraceError('EBUSY', `process ${one.pid} is being recorded already`);
    one.isRecorded = true;
    try {
      // It would take what is to be recorded.
      return await one.withTracerFree(() => this.#record(one, seconds, isOwnOnly, stop));
    } finally {
      one.isRecorded = false;
    }
  }

  async #record({ client, pid }: LiveProcess, seconds: number, isOwnOnly: boolean, stop: AbortSignal): Promise<UiRecording> {
    this.#folder ??= mkdtempSync(join(process.env['XDG_RUNTIME_DIR'] || tmpdir(), 'fentry-ui-'));
    const id = this.#files.length + 1;
    const file = join(this.#folder, `${pid}-${id}.dat`);
    this.#files.push(file);
    const parts = partsFolder(file);
    const settings = await ChangedSettings.begin(client);
    try {
      const [tracer, isOn, filter] = await Promise.all(
        ['current_tracer', 'tracing_on', 'set_ftrace_filter'].map(async (path) => (await client.read(path)).trim()),
      );
      if (tracer === 'nop') {
        if (isOwnOnly && isEmptyFilter(filter!)) await settings.set('set_ftrace_filter', OWN, '');
        await settings.set('current_tracer', 'function_graph', 'nop');
      }
      // Recording ends with writing 0.
      await settings.set('tracing_on', seconds === 0 ? isOn! : '1', isOn!);
      const recording = new LiveRecording(client, parts, new RecordingSpace(parts, LIMITS), 0);
      await recording.run(
        sleep(seconds * 1000, undefined, { signal: stop }).catch(() => {}),
        () => {},
      );
      const notes: string[] = [];
      const { events, lost } = finishRecording(parts, file, LIMITS, (words) => notes.push(words), true);
      return { id, events, lost, notes };
    } finally {
      await settings.restore();
      removeParts(parts);
    }
  }

  /** The routes of a recording, as `fentry open` has them. TraceError ENOENT if there is none of this number. */
  route(id: string, path: string): PageRoute {
    const file = this.#files[Number(id) - 1];
    if (file === undefined) throw new TraceError('ENOENT', `there is no recording '${id}'`);
    let routes = this.#routes.get(file);
    if (routes === undefined) this.#routes.set(file, (routes = recordingRoutes(file)));
    return routes.find((one) => one.path === path)!;
  }

  /** Removes them. */
  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}
