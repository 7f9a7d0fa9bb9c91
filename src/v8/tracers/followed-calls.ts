/** Counts activations of one sort: those that have not ended, and those of them that are on the stack. */
export class Activations {
  alive = 0;
  onStack = 0;

  began(): void {
    this.alive++;
    this.onStack++;
  }

  suspended(): void {
    if (this.onStack > 0) this.onStack--;
  }

  resumed(): void {
    this.onStack++;
  }

  /** Ends a call that is not on the stack. */
  endedAway(): void {
    // Those that nobody waits for any more end too.
    if (this.alive > 0) this.alive--;
  }

  ended(): void {
    this.endedAway();
    this.suspended();
  }

  /** Counts those of another sort too. */
  add({ alive, onStack }: Activations): void {
    this.alive += alive;
    this.onStack += onStack;
  }

  forget(): void {
    this.alive = this.onStack = 0;
  }
}

/** The calls of functions that are followed although no patch replaces them, by number (livepatch/follow). */
export type FollowedCalls = Map<number, Activations>;
