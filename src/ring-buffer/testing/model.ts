/** An event as the model knows it: its number and time, and the bytes that it takes on a page. */
export interface ModelEvent {
  readonly number: number;
  readonly ts: number;
  bytes: number;
}

interface ModelPage {
  events: ModelEvent[];
  bytes: number;
  /** Events of this page that are consumed. */
  consumed: number;
}

const emptyPage = (): ModelPage => ({ events: [], bytes: 0, consumed: 0 });

/** What a ring buffer must do, in lists: pages from the oldest to the newest, and the page that the reader has taken. */
export class RingModel {
  overrun = 0;
  dropped = 0;
  read = 0;
  overwrite = true;
  #pages: ModelPage[] = [emptyPage()];
  #reader = emptyPage();
  #nrPages: number;
  readonly #capacity: number;

  constructor(nrPages: number, capacity: number) {
    this.#nrPages = nrPages;
    this.#capacity = capacity;
  }

  /** @param bytes what the event takes; `bytesFirst` what it takes as the first of a page, without a time extend */
  write(number: number, ts: number, bytes: number, bytesFirst: number): boolean {
    let tail = this.#tail;
    let size = tail.events.length === 0 ? bytesFirst : bytes;
    if (tail.bytes + size > this.#capacity) {
      if (this.#pages.length === this.#nrPages) {
        if (!this.overwrite) {
          tail.bytes = this.#capacity;
          this.dropped++;
          return false;
        }
        this.overrun += this.#pages.shift()!.events.length;
      }
      tail = emptyPage();
      size = bytesFirst;
      this.#pages.push(tail);
    }
    tail.events.push({ number, ts, bytes: size });
    tail.bytes += size;
    return true;
  }

  /** The last event, which no reader has seen, becomes this much shorter. */
  shorten(bytes: number): void {
    this.#tail.bytes -= bytes;
    this.#tail.events.at(-1)!.bytes -= bytes;
  }

  /** The last event, which no reader has seen, is removed. */
  discard(): void {
    this.#tail.bytes -= this.#tail.events.pop()!.bytes;
  }

  /** The next event to read. */
  peek(): ModelEvent | undefined {
    if (!this.#takePage()) return undefined;
    return this.#reader.events[this.#reader.consumed]!;
  }

  consume(): void {
    this.#reader.consumed++;
    this.read++;
  }

  /** The events that a page-wise read takes out. */
  readPage(full: boolean): readonly ModelEvent[] | undefined {
    if (!this.#takePage() || (full && this.#pages.length === 0)) return undefined;
    const events = this.#reader.events.slice(this.#reader.consumed);
    this.#reader.consumed = this.#reader.events.length;
    this.read += events.length;
    return events;
  }

  /** All events that are inside. */
  inside(): readonly ModelEvent[] {
    return [...this.#reader.events.slice(this.#reader.consumed), ...this.#pages.flatMap((page) => page.events)];
  }

  clear(): void {
    while (this.readPage(false) !== undefined);
    this.overrun = this.dropped = this.read = 0;
  }

  resize(nrPages: number): void {
    this.#nrPages = nrPages;
    while (this.#pages.length > nrPages) this.overrun += this.#pages.shift()!.events.length;
  }

  /** Whether nothing is on the page that is written to. */
  get isTailEmpty(): boolean {
    return this.#tail.events.length === 0;
  }

  get #tail(): ModelPage {
    return this.#pages.at(-1) ?? this.#reader;
  }

  #takePage(): boolean {
    if (this.#reader.consumed < this.#reader.events.length) return true;
    if (this.#pages.length === 0 || this.#pages[0]!.events.length === 0) return false;
    this.#reader = this.#pages.shift()!;
    return true;
  }
}
