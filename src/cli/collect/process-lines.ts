import { appendFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TraceClient } from '../../client/trace-client.js';
import type { LineFile } from '../../collect/collector-state.js';
import { linesPath } from '../../collect/process-files.js';
import { eventFolder, eventsOf, eventText } from '../process-events.js';
import { histogramsIn } from './histogram-text.js';

/** Bytes of lines that wait for the sink at most: what comes beyond is left out. */
const MOST_LINES = 16 << 20;

/** What is read of a process besides its records. */
export interface LinesWanted {
  /** Turns of the event loop over so many milliseconds; undefined: none. */
  readonly slow: number | undefined;
  /** Milliseconds between readings of histograms; undefined: none are read. */
  readonly histograms: number | undefined;
}

/** Follows slow turns and histograms of a process, line by line into the folder that its records go to, until it ends. */
export class ProcessLines {
  readonly #client: TraceClient;
  readonly #folder: string;
  readonly #end: AbortSignal;
  readonly #begun = new Set<LineFile>();

  constructor(client: TraceClient, folder: string, end: AbortSignal) {
    this.#client = client;
    this.#folder = folder;
    this.#end = end;
  }

  /** Resolves when the process has ended, or no longer answers. */
  async follow({ slow, histograms }: LinesWanted): Promise<void> {
    await Promise.all([
      slow === undefined ? undefined : this.#turns(slow).catch(() => {}),
      histograms === undefined ? undefined : this.#histograms(histograms).catch(() => {}),
    ]);
  }

  async #turns(ms: number): Promise<void> {
    const stream = await this.#client.open(`answers/slow_pipes/${ms}`, this.#end);
    for await (const line of createInterface({ input: stream })) this.#append('turns', line);
  }

  async #histograms(interval: number): Promise<void> {
    while (!this.#end.aborted) {
      await sleep(interval, undefined, { signal: this.#end });
      for (const event of await eventsOf(this.#client)) {
        if (!/^hist:/m.test(await eventText(this.#client, event, 'trigger'))) continue;
        const time = Date.now() * 1000;
        const text = await this.#client.read(`${eventFolder(event)}/hist`);
        for (const { trigger, entries } of histogramsIn(text)) {
          const line = { time, system: event.system, event: event.name, trigger, entries };
          if (entries.length > 0) this.#append('histograms', JSON.stringify(line));
        }
      }
    }
  }

  #append(file: LineFile, line: string): void {
    const path = linesPath(this.#folder, this.#client.pid, file);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_LINES) return;
    // A collector before this one may have been killed in the midst of a line.
    appendFileSync(path, `${this.#begun.has(file) ? '' : '\n'}${line}\n`, { mode: 0o600 });
    this.#begun.add(file);
  }
}
