/**
 * What the threads of a traced process tell the host of themselves, in memory that both share: the host reads it also when the
 * process has ended, and both may change the owner of a block at any moment. All numbers are bytes.
 */
export const THREAD_WORDS = {
  /** u64: calls of threads that got no block. */
  UNBLOCKED: 0,
  /** u64: how many ids of threads were ever put at LOG; number n is at n % LOGGED_IDS. */
  LOGGED: 8,
  /** u32 each: the ids of the threads that took blocks, in the order in which they did. */
  LOG: 64,
} as const;

/** A power of two. */
export const LOGGED_IDS = 8192;

/**
 * Where the owners of blocks are, u32 each: the id of the thread that has the block; 0: none, or the host is about to give it to
 * another one.
 */
export const OWNERS_AT = THREAD_WORDS.LOG + LOGGED_IDS * 4;

/** Bytes for so many blocks. */
export const threadWordsBytes = (threads: number): number => OWNERS_AT + threads * 4;
