import { createRingBuffer, createRingIn } from '../create-ring-buffer.js';
import { type RingMemory, SharedMemory } from '../ring-memory.js';

/** Creates a ring of so many bytes in sub-buffers of so many bytes. */
export type CreateMemory = (sizeBytes: number, subbufBytes?: number) => RingMemory;

interface Waiting {
  readonly word: number;
  readonly done: () => void;
}

/**
 * Memory that no thread shares, as a second kind: its waits end only by its own `wake`, which is also what a writer calls that is
 * no thread of this process.
 */
class PlainMemory extends SharedMemory {
  #waiting: Waiting[] = [];

  override wait(word: number, value: number, timeoutMs: number): Promise<void> {
    if (Atomics.load(this.i32, word) !== value) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end((one) => one === waiting), timeoutMs);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const waiting = { word, done };
      this.#waiting.push(waiting);
    });
  }

  override block(): void {
    throw new Error('nothing could wake this thread');
  }

  override wake(word: number): void {
    this.#end((one) => one.word === word);
  }

  #end(isMeant: (waiting: Waiting) => boolean): void {
    const meant = this.#waiting.filter(isMeant);
    this.#waiting = this.#waiting.filter((one) => !isMeant(one));
    for (const { done } of meant) done();
  }
}

/** The kinds of memory that the tests of the reading side run with. */
export const RING_MEMORIES: readonly { readonly name: string; readonly create: CreateMemory }[] = [
  { name: 'a SharedArrayBuffer', create: (...sizes) => new SharedMemory(createRingBuffer(...sizes)) },
  {
    name: 'memory of another kind',
    create: (...sizes) => new PlainMemory(createRingIn((bytes) => new ArrayBuffer(bytes), ...sizes)),
  },
];
