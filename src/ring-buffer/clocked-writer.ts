import type { ClockReading } from './trace-clocks.js';
import type { RingBufferWriter } from './writer.js';

/**
 * A writer that replaces the times of its events with those of another clock, so that writers with the usual clock pay nothing.
 */
export class ClockedWriter {
  readonly #writer: RingBufferWriter;
  readonly reading: ClockReading;

  constructor(writer: RingBufferWriter, reading: ClockReading) {
    this.#writer = writer;
    this.reading = reading;
  }

  get u32(): Uint32Array {
    return this.#writer.u32;
  }

  get u8(): Uint8Array {
    return this.#writer.u8;
  }

  /** @param ns CLOCK_MONOTONIC */
  reserve(payloadBytes: number, ns: number): number {
    return this.#writer.reserve(payloadBytes, this.reading(ns));
  }

  reserveText(payloadBytes: number, ns: number): number {
    return this.#writer.reserveText(payloadBytes, this.reading(ns));
  }

  commit(): void {
    this.#writer.commit();
  }

  commitShorter(payloadBytes: number): void {
    this.#writer.commitShorter(payloadBytes);
  }

  get tracingOn(): boolean {
    return this.#writer.tracingOn;
  }

  setTracingOn(on: boolean): void {
    this.#writer.setTracingOn(on);
  }

  snapshotNow(): void {
    this.#writer.snapshotNow();
  }

  abandon(): void {
    this.#writer.abandon();
  }
}
