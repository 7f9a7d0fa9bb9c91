/** First in, first out; it calls no method of Array, which a program may have replaced by one that throws. */
export class Queue<T> {
  #items: T[] = [];
  #first = 0;

  get isEmpty(): boolean {
    return this.#first === this.#items.length;
  }

  /** The next one to be taken; undefined when there is none. */
  get next(): T | undefined {
    return this.#items[this.#first];
  }

  put(item: T): void {
    this.#items[this.#items.length] = item;
  }

  take(): T | undefined {
    const item = this.next;
    if (this.isEmpty) return undefined;
    this.#items[this.#first++] = undefined as never;
    if (this.isEmpty) {
      this.#items = [];
      this.#first = 0;
    }
    return item;
  }
}
