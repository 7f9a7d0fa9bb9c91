interface Link<T> {
  readonly item: T;
  next: Link<T> | undefined;
}

/**
 * First in, first out, as a linked list: it uses neither methods nor indices of Array, because a program may have replaced them
 * by ones that throw.
 */
export class Queue<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** The next element; undefined if there is none. */
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
