import type { RingBufferReader } from './reader.js';
import type { RingBufferSnapshot } from './snapshot.js';

/** A copy of what was unread at one moment, gone through event by event; see RingBufferSnapshot. */
export type EventSnapshot = Pick<RingBufferSnapshot, 'words' | 'bytes' | 'lost' | 'ts' | 'payload' | 'length' | 'next'>;

/** What the readers of a cpu's events do, whether one ring buffer holds them or two; see RingBufferReader. */
export interface CpuReader
  extends Pick<
    RingBufferReader,
    | 'ts'
    | 'payload'
    | 'length'
    | 'lost'
    | 'number'
    | 'bytes'
    | 'nrPages'
    | 'peek'
    | 'consume'
    | 'readPage'
    | 'isEmpty'
    | 'stats'
    | 'clear'
    | 'addWatermark'
    | 'removeWatermark'
    | 'isFull'
    | 'nextWakeUp'
    | 'nextEvent'
  > {
  snapshot(): EventSnapshot;
}
