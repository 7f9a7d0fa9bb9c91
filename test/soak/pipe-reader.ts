import { createInterface } from 'node:readline';
import type { TraceClient } from '../../src/client/trace-client.js';

/** Reads a trace_pipe, again each time that it ended because tracing was switched off, and counts what comes. */
export class PipeReader {
  /** Records that lines stand for. */
  events = 0;
  /** Records that lines of the pipe say were lost. */
  lost = 0;
  readonly #ended: Promise<void>;
  #isLast = false;

  constructor(client: TraceClient, path: string) {
    this.#ended = this.#read(client, path);
  }

  /** Called while tracing is on; resolves when that is off and everything was read, which must be something. */
  end(): Promise<void> {
    this.#isLast = true;
    return this.#ended;
  }

  async #read(client: TraceClient, path: string): Promise<void> {
    while (!this.#isLast) {
      for await (const line of createInterface({ input: await client.open(path) })) this.#count(line);
    }
  }

  #count(line: string): void {
    const lost = /^CPU:\d+ \[LOST (\d+) EVENTS\]$/.exec(line);
    if (lost !== null) this.lost += Number(lost[1]);
    // function_graph has one line for an entry and the exit that follows it, and lines that tell of another task on the cpu.
    else if (line.endsWith('();')) this.events += 2;
    else if (line !== '' && !/^ -+$| => /.test(line)) this.events++;
  }
}
