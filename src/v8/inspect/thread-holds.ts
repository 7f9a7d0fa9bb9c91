interface Hold {
  readonly holder: object;
  readonly over: Promise<void>;
  readonly end: () => void;
}

/**
 * Who holds threads of a process by V8's debugger. One session at a time does, and while it does no other one has the thread run
 * anything. A pause that is asked for would else begin in what another session evaluates: Node is then in the middle of its
 * queue of messages, may have taken the signal that more are in it, and never reads the one that lets the thread go on.
 *
 * What was sent before a hold begins, or after it has ended, is out of danger: a thread takes messages in their order.
 */
export class ThreadHolds {
  readonly #holds = new Map<number, Hold>();

  /** Whether another one holds a thread. @param thread Node's number */
  isHeld(thread: number, except?: object): boolean {
    const hold = this.#holds.get(thread);
    return hold !== undefined && hold.holder !== except;
  }

  /** Resolves when nobody holds a thread. */
  async free(thread: number): Promise<void> {
    for (let hold = this.#holds.get(thread); hold !== undefined; hold = this.#holds.get(thread)) await hold.over;
  }

  /** Takes the hold of a thread that is free, until `giveBack`. */
  take(thread: number, holder: object): void {
    let end: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#holds.set(thread, { holder, over, end });
  }

  giveBack(thread: number, holder: object): void {
    const hold = this.#holds.get(thread);
    if (hold?.holder !== holder) return;
    this.#holds.delete(thread);
    hold.end();
  }
}
