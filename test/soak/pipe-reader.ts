import { createInterface } from 'node:readline';
import type { TraceClient } from '../../src/client/trace-client.js';

/** Reads a trace_pipe to its end, and counts what came. */
export class PipeReader {
  /** Lines that stand for a record. */
  events = 0;
  /** Records that lines of the pipe say were lost. */
  lost = 0;
  /** Resolves when the pipe ended: tracing is off and everything was read. */
  readonly ended: Promise<void>;

  constructor(client: TraceClient, path: string) {
    this.ended = this.#read(client, path);
  }

  async #read(client: TraceClient, path: string): Promise<void> {
    for await (const line of createInterface({ input: await client.open(path) })) {
      const lost = /^CPU:\d+ \[LOST (\d+) EVENTS\]$/.exec(line);
      if (lost !== null) this.lost += Number(lost[1]);
      else if (line !== '') this.events++;
    }
  }
}
