/** What is given to the pool: its queue has the name of the part of Node that works so. */
export type PoolQueue = 'fs' | 'dns' | 'crypto' | 'zlib';

/** A request to the pool. Times are nanoseconds of the trace clock. */
export interface PoolWork {
  readonly id: number;
  readonly queue: PoolQueue;
  /** The function that asked, an address inside it; 0 if it is not known. */
  readonly asker: number;
  readonly queuedAt: number;
  /** When a thread of the pool was free for it; 0 while it waits. */
  startedAt: number;
}

/** libuv's (src/threadpool.c): the threads of the pool by default, and the most that `UV_THREADPOOL_SIZE` can say. */
const DEFAULT_THREADS = 4;
const MAX_THREADS = 1024;

/** The number of the pool's threads that this value of `UV_THREADPOOL_SIZE` asks for. */
export function poolThreads(size: unknown): number {
  if (typeof size !== 'string') return DEFAULT_THREADS;
  const asked = parseInt(size, 10) || 0;
  if (asked > MAX_THREADS) return MAX_THREADS;
  return asked < 1 ? 1 : asked;
}

/**
 * Which requests of one JavaScript thread run in libuv's pool, and which wait for a thread of it: known from the number of
 * threads and the order of the requests, which libuv takes first in, first out. Name lookups take at most half of the threads.
 * The end of a request is known when the event loop gets it, so the next begins no later than this says.
 */
export class ThreadPool {
  readonly #threads: number;
  readonly #slowThreads: number;
  readonly #started: (work: PoolWork, at: number) => void;
  readonly #waiting: PoolWork[] = [];
  #running = 0;
  #slow = 0;

  /** @param started is told of each request for which a thread is free */
  constructor(threads: number, started: (work: PoolWork, at: number) => void) {
    this.#threads = threads;
    this.#slowThreads = (threads + 1) >> 1;
    this.#started = started;
  }

  /** How many requests run or wait. */
  get pending(): number {
    return this.#running + this.#waiting.length;
  }

  add(work: PoolWork): void {
    this.#waiting[this.#waiting.length] = work;
    this.#startNext(work.queuedAt);
  }

  /** The event loop has the result: if the request seemed to wait, the loop was late, and others have ended before, unseen. */
  ended(work: PoolWork, now: number): void {
    if (work.startedAt !== 0) return;
    this.#take(this.#placeOf(work));
    this.#start(work, now);
  }

  /** Gives the thread of a request that has ended to the next. */
  release(work: PoolWork, now: number): void {
    this.#running--;
    if (isSlow(work)) this.#slow--;
    this.#startNext(now);
  }

  #startNext(now: number): void {
    for (let i = 0; i < this.#waiting.length && this.#running < this.#threads; ) {
      const work = this.#waiting[i]!;
      if (isSlow(work) && this.#slow >= this.#slowThreads) i++;
      else {
        this.#take(i);
        this.#start(work, now);
      }
    }
  }

  #start(work: PoolWork, at: number): void {
    work.startedAt = at;
    this.#running++;
    if (isSlow(work)) this.#slow++;
    this.#started(work, at);
  }

  #placeOf(work: PoolWork): number {
    let place = 0;
    while (this.#waiting[place] !== work) place++;
    return place;
  }

  #take(index: number): void {
    const waiting = this.#waiting;
    for (let i = index; i + 1 < waiting.length; i++) waiting[i] = waiting[i + 1]!;
    waiting.length--;
  }
}

const isSlow = ({ queue }: PoolWork): boolean => queue === 'dns';
