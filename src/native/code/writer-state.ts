import { PageCursor } from '../../ring-buffer/decode.js';
import { COMMIT_WORD, PAGE_HEADER_BYTES } from '../../ring-buffer/event-word.js';
import * as ring from '../../ring-buffer/layout.js';
import { WRITER } from './arena.js';

/** What a writer in the traced process is to know of its ring. */
export interface WriterSetup {
  /** The ring's memory as this process has it. It must not be written meanwhile. */
  readonly memory: ArrayBufferLike;
  /** Addresses in the traced process: of the ring's memory; of the instance's words. */
  readonly ring: number;
  readonly words: number;
  /** The instance's STATE, without the reasons to record nothing. */
  readonly state: number;
  /** The writer's number in the instance. */
  readonly cpu: number;
  /** The address of the block's word that says which writer is in use. */
  readonly inUse: number;
  /** Whether the times of events are counts of the processor's counter. */
  readonly counts?: boolean;
}

/**
 * The state of a writer that goes on where a ring ends: what RingBufferWriter finds out when it is created. The bytes of
 * `WRITER`.
 */
export function writerState({ memory, ring: address, words, state, cpu, inUse, counts = false }: WriterSetup): Uint8Array {
  const i32 = new Int32Array(memory);
  const f64 = new Float64Array(memory);
  const subbufBytes = i32[ring.SUBBUF_BYTES]!;
  const pages = ring.pagesOffset(i32[ring.NR_PAGES]!);
  const page = i32[ring.TAIL_PAGE]!;
  const links = ring.linkWord(page);
  const start = pages + page * subbufBytes;
  const cursor = new PageCursor().open(new Uint32Array(memory), start);
  let count = 0;
  while (cursor.next()) count++;
  const stamp = count > 0 ? cursor.ts : 0;
  const committed = i32[(start >> 2) + COMMIT_WORD]!;
  const position = address + start + PAGE_HEADER_BYTES + committed;
  const bytes = new Uint8Array(WRITER.BYTES);
  const view = new DataView(bytes.buffer);
  const numbers: readonly (readonly [offset: number, value: number])[] = [
    [WRITER.RING, address],
    [WRITER.SWITCH, words],
    [WRITER.POSITION, position],
    // The first event of a page gives the page its time.
    [WRITER.LIMIT, committed === 0 || counts ? position : address + start + subbufBytes],
    [WRITER.STAMP, stamp],
    [WRITER.COUNT_STAMP, stamp],
    [WRITER.PAGE_START, address + start],
    [WRITER.PAGE_END, address + start + subbufBytes],
    [WRITER.COUNT, count],
    [WRITER.SUBBUF_BYTES, subbufBytes],
    [WRITER.PAGES, address + pages],
    [WRITER.FIRST, f64[(links + ring.FIRST_EVENT) >> 1]!],
    [WRITER.BYTES_WRITTEN, f64[ring.BYTES]!],
    [WRITER.OVERRUN, f64[ring.OVERRUN]!],
    [WRITER.DROPPED, f64[ring.DROPPED]!],
    [WRITER.COMMIT_OVERRUN, f64[ring.COMMIT_OVERRUN]!],
    [WRITER.TOUCHED, f64[ring.PAGES_TOUCHED]!],
    [WRITER.LOST, f64[ring.PAGES_LOST]!],
    [WRITER.IN_USE, inUse],
  ];
  for (const [offset, value] of numbers) view.setBigUint64(offset, BigInt(value), true);
  view.setInt32(WRITER.STATE, state, true);
  view.setUint32(WRITER.CPU, cpu, true);
  view.setUint32(WRITER.PAGE, page, true);
  view.setUint32(WRITER.COUNTS, counts ? 1 : 0, true);
  view.setInt32(WRITER.SERIAL, i32[links + ring.SERIAL]!, true);
  return bytes;
}
