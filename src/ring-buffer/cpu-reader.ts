import type { RingBufferReader } from './reader.js';
import type { RingBufferSnapshot } from './snapshot.js';

/** A copy of the unread events at one moment, read event by event; see RingBufferSnapshot. */
export type EventSnapshot = Pick<RingBufferSnapshot, 'words' | 'bytes' | 'lost' | 'ts' | 'payload' | 'length' | 'next'>;

/** The interface of the readers of a cpu's events, whether they are in one ring buffer or two; see RingBufferReader. */
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
