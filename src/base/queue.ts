interface Link<T> {
  readonly item: T;
  next: Link<T> | undefined;
}

/**
 * First in, first out, as a chain: neither methods of Array nor places in one are used, which a program may have replaced by
 * some that throw.
 */
export class Queue<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** The next one to be taken; undefined when there is none. */
  get next(): T | undefined {
    return this.#first?.item;
  }

  put(item: T): void {
    const link: Link<T> = { item, next: undefined };
    if (this.#last === undefined) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
  }

  take(): T | undefined {
    const taken = this.#first;
    this.#first = taken?.next;
    if (this.#first === undefined) this.#last = undefined;
    return taken?.item;
  }
}
