import type { CallVisitor, Track, VisitedCall } from './call-visitor.js';
import type { CalledFunction } from './called-functions.js';
import type { ExitFacts } from './record-facts.js';

/** The most calls that wait for their callers to end; callers that never end must not fill the memory. */
const MAX_WAITING = 100_000;

/** A call of which only the exit was recorded, and what ran inside of it. */
interface Completed {
  readonly func: CalledFunction;
  readonly depth: number;
  readonly start: number;
  readonly end: number;
  readonly facts: ExitFacts;
  readonly callees: readonly Completed[];
}

/**
 * The calls of a track that records only exits (`tracing_thresh`): a call comes after everything that ran inside of it.
 * Visitors get callers first.
 */
export class CompletedCalls<Place> {
  readonly #track: Track;
  readonly #visitor: CallVisitor<Place>;
  /** Calls whose callers have not ended, in the order of their ends. */
  #waiting: Completed[] = [];
  #count = 0;
  /** The end of the last call that visitors got. */
  #told = -Infinity;

  constructor(track: Track, visitor: CallVisitor<Place>) {
    this.#track = track;
    this.#visitor = visitor;
  }

  add(func: CalledFunction, depth: number, facts: ExitFacts): void {
    const waiting = this.#waiting;
    let first = waiting.length;
    const called = facts.returned - facts.call;
    while (first > 0 && waiting[first - 1]!.depth > depth && waiting[first - 1]!.start >= called) first--;
    const callees = waiting.splice(first);
    // A coroutine's call may be older than calls that have ended since; its last part is not.
    const start = Math.min(facts.returned, Math.max(called, waiting.at(-1)?.end ?? this.#told));
    waiting.push({ func, depth, start, end: facts.returned, facts, callees });
    this.#count++;
    if (depth === 0 || this.#count > MAX_WAITING) this.flush();
  }

  /** Passes all waiting calls to the visitors. */
  flush(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    this.#count = 0;
    this.#told = waiting.at(-1)!.end;
    for (const call of waiting) this.#tell(call);
  }

  /** Tells of a call and those inside, without recursion: the calls of a damaged recording may be deeper than the stack. */
  #tell(root: Completed): void {
    const open: { frame: VisitedCall<Place>; call: Completed; next: number }[] = [];
    for (let call: Completed | undefined = root; call !== undefined; ) {
      open.push({ frame: this.#begin(call, open.at(-1)?.frame), call, next: 0 });
      call = undefined;
      while (call === undefined && open.length > 0) {
        const top = open.at(-1)!;
        call = top.call.callees[top.next++];
        if (call !== undefined) break;
        open.pop();
        this.#end(top.frame, top.call);
      }
    }
  }

  #begin({ func, depth, start, facts: { context } }: Completed, caller: VisitedCall<Place> | undefined): VisitedCall<Place> {
    const call = {
      func,
      funcIndex: func.index,
      track: this.#track,
      isResumed: false,
      depth,
      args: '',
      context,
      activation: undefined,
      start,
    };
    return Object.assign(call, { place: this.#visitor.begin(call, caller) });
  }

  #end(frame: VisitedCall<Place>, { start, end, facts, callees }: Completed): void {
    const duration = end - start;
    const inside = callees.reduce((sum, callee) => sum + callee.end - callee.start, 0);
    const { call, isSuspended, value, activation } = facts;
    this.#visitor.end(frame, { duration, self: Math.max(0, duration - inside), call, isSuspended, value, activation });
  }
}
