import type { PatchedSites, PortCommand, TracedThread } from './port.js';

/** What of a command concerns a thread; undefined: nothing. */
export type Concerns = (command: PortCommand, thread: TracedThread) => PortCommand | undefined;

/** A thread of one of two joined ports, which is told only what concerns the text of its port. */
export class SideThread implements TracedThread {
  readonly thread: TracedThread;
  readonly #concerns: Concerns;

  constructor(thread: TracedThread, concerns: Concerns) {
    this.thread = thread;
    this.#concerns = concerns;
  }

  get cpu(): number {
    return this.thread.cpu;
  }

  get tid(): number {
    return this.thread.tid;
  }

  get parent(): number {
    return this.thread.parent;
  }

  get comm(): string {
    return this.thread.comm;
  }

  get sites(): PatchedSites {
    return this.thread.sites;
  }

  get isBehind(): boolean {
    return this.thread.isBehind;
  }

  post(command: PortCommand): void {
    const own = this.#concerns(command, this);
    if (own !== undefined) this.thread.post(own);
  }

  async send(command: PortCommand): Promise<void> {
    const own = this.#concerns(command, this);
    if (own !== undefined) await this.thread.send(own);
  }

  interrupt(command: PortCommand): void {
    const own = this.#concerns(command, this);
    if (own !== undefined) this.thread.interrupt?.(own);
  }

  settled(): Promise<string | undefined> {
    return this.thread.settled();
  }
}
