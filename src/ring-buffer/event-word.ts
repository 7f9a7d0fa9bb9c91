/**
 * The words that events are made of, as `events/header_event` and `events/header_page` describe them
 * (include/linux/ring_buffer.h): a first word `type_len : 5, time_delta : 27`, then 32-bit words.
 */

/** type_len: 0 = length in array[0], 1..28 = payload words, and these. */
export const PADDING = 29;
export const TIME_EXTEND = 30;
export const TIME_STAMP = 31;

/** Payloads of up to this many words have their length in type_len. */
export const MAX_SMALL_WORDS = 28;

export const TYPE_LEN_BITS = 5;
export const TYPE_LEN_MASK = 31;
const DELTA_BITS = 27;

/** Larger deltas (about 134 ms) need a time extend. */
export const DELTA_LIMIT = 2 ** DELTA_BITS;
export const DELTA_MASK = DELTA_LIMIT - 1;

/** Bytes of a page before its data: u64 timestamp, u64 commit. */
export const PAGE_HEADER_BYTES = 16;
export const PAGE_HEADER_WORDS = PAGE_HEADER_BYTES >> 2;

/** Word of a page that holds the low half of `commit`: the bytes of data that are complete, and the flags below. */
export const COMMIT_WORD = 2;

/** Bits of the commit word of a page that was read: events were lost before it; their number follows its data as a u64. */
export const MISSED_EVENTS = 2 ** 31;
export const MISSED_STORED = 2 ** 30;
export const COMMIT_MASK = MISSED_STORED - 1;

/** Bytes of events that a page holds: BUF_PAGE_SIZE. */
export const dataBytes = (subbufBytes: number): number => subbufBytes - PAGE_HEADER_BYTES;

/** The largest payload that an event may have: BUF_MAX_DATA_SIZE. */
export const maxPayloadBytes = (subbufBytes: number): number => dataBytes(subbufBytes) - 8;
