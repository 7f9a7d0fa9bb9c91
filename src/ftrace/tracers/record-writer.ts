import type { ClockReading } from '../../ring-buffer/index.js';

/** The part of RingBufferWriter that the tracers use. */
export interface RecordWriter {
  /** The memory as words and bytes; replaced when the writer moves to another memory, so read it again for each event. */
  readonly u32: Uint32Array;
  readonly u8: Uint8Array;
  /** The instance's trace clock, from CLOCK_MONOTONIC; undefined: it is that clock, in nanoseconds. */
  readonly reading: ClockReading | undefined;
  /** Index in `u32` of the first word of a payload with this number of bytes, or -1: the event is lost or recording is off. */
  reserve(payloadBytes: number, ts: number): number;
  /** Reserves room for an event that `commitShorter` ends, of more than 112 bytes. */
  reserveText(payloadBytes: number, ts: number): number;
  commit(): void;
  /** Commits the event with fewer bytes than reserved. */
  commitShorter(payloadBytes: number): void;
  /** Whether the instance records: tracing_on. */
  readonly tracingOn: boolean;
  /** Switches recording of the whole instance, in all threads at once: tracing_on. */
  setTracingOn(on: boolean): void;
  /** Takes a snapshot of the whole instance, if it has memory for one. */
  snapshotNow(): void;
  /** Takes back an event that was reserved and never committed, if there is one. */
  abandon(): void;
}

/** Where records go before there is a buffer. */
export const NO_WRITER: RecordWriter = {
  u32: new Uint32Array(0),
  u8: new Uint8Array(0),
  reading: undefined,
  reserve: () => -1,
  reserveText: () => -1,
  commit() {},
  commitShorter() {},
  tracingOn: false,
  setTracingOn() {},
  snapshotNow() {},
  abandon() {},
};
