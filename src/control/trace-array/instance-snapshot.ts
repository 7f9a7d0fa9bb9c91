import type { TracedThread } from '../../port/port.js';
import type { RingBufferWriter } from '../../ring-buffer/index.js';
import type { ThreadBuffers } from './thread-buffers.js';

/** What the control thread writes to on a cpu. */
export interface ControlRing {
  readonly cpu: number;
  readonly ringBuffer: RingBufferWriter;
}

/** What a snapshot needs of its instance. */
export interface SnapshotInstance {
  readonly number: number;
  readonly buffers: ThreadBuffers;
  readonly threads: () => readonly TracedThread[];
  /** The control thread's own writers. */
  readonly control: () => readonly ControlRing[];
  readonly obeyed: () => Promise<void>;
}

/**
 * The snapshot of an instance: each writer has spare memory, and goes on in that when a snapshot is taken. Any thread may take
 * one in the middle of its work (`RingBufferWriter.snapshotNow`); threads that record nothing at that time are told from here.
 */
export class InstanceSnapshot {
  readonly #instance: SnapshotInstance;
  /** The snapshots that all threads were told of. */
  #told = 0;

  constructor(instance: SnapshotInstance) {
    this.#instance = instance;
  }

  /** Gives every writer its spare memory. */
  async allocate(): Promise<void> {
    const { buffers, threads, control, obeyed } = this.#instance;
    if (buffers.hasSnapshot) return;
    buffers.allocateSnapshot();
    this.#told = buffers.instance.snapshots;
    for (const { cpu, thread } of buffers.all) if (thread.reader !== undefined) buffers.spare(cpu);
    for (const thread of threads()) this.giveSpare(thread);
    for (const ring of control()) this.giveControlSpare(ring);
    await obeyed();
    void this.#watch();
  }

  async free(): Promise<void> {
    const { buffers, threads, obeyed, control } = this.#instance;
    if (!buffers.hasSnapshot) return;
    buffers.freeSnapshot();
    for (const thread of threads()) this.giveSpare(thread);
    for (const { ringBuffer } of control()) ringBuffer.setSpare(undefined);
    await obeyed();
    if (!buffers.hasSnapshot) buffers.dropSnapshot();
    buffers.instance.wake();
  }

  /** Gives the writers new, empty spare memory, if they have any. */
  async renew(): Promise<void> {
    const { buffers, obeyed } = this.#instance;
    if (!buffers.hasSnapshot) return obeyed();
    await this.free();
    await this.allocate();
  }

  /** Exchanges the memories of every writer. */
  async take(): Promise<void> {
    this.#instance.buffers.instance.swap();
    this.#tell();
    await this.#instance.obeyed();
  }

  /** Gives a thread that has a buffer the spare memory for it, or takes it away. */
  giveSpare(thread: TracedThread): void {
    const { number, buffers } = this.#instance;
    if (buffers.of(thread.cpu).thread.reader === undefined) return;
    const buffer = buffers.spare(thread.cpu);
    thread.post({ type: 'spare', instance: number, ...(buffer && { buffer }) });
  }

  giveControlSpare({ cpu, ringBuffer }: ControlRing): void {
    ringBuffer.setSpare(this.#instance.buffers.controlSpare(cpu));
  }

  /** All threads look now, not only at their next event. */
  #tell(): void {
    const { number, buffers, threads, control } = this.#instance;
    const { snapshots } = buffers.instance;
    if (snapshots === this.#told) return;
    this.#told = snapshots;
    for (const { ringBuffer } of control()) ringBuffer.takeSnapshot();
    const written = new Set(threads().map(({ cpu }) => cpu));
    for (const thread of threads()) thread.post({ type: 'snapshot', instance: number });
    for (const { cpu, thread } of buffers.all) if (!written.has(cpu)) thread.follow();
  }

  /** Tells all threads about the snapshots that one of them takes. */
  async #watch(): Promise<void> {
    const { buffers } = this.#instance;
    while (buffers.hasSnapshot) {
      await buffers.instance.changed();
      this.#tell();
    }
  }
}
