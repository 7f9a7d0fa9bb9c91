import { setTimeout as sleep } from 'node:timers/promises';
import { foldTurn, LATE } from '../../../answers/slow/fold-turn.js';
import type { CallArguments, Sample } from '../../../answers/slow/sampled-turn.js';
import type { SlowTurn, TurnThread } from '../../../answers/slow/slow-answer.js';
import { describeWait, threadState } from '../../../base/thread-state.js';
import type { TurnWatching } from '../../../port/inspect.js';
import { traceClock } from '../../../ring-buffer/clock.js';
import type { SampledCollections } from '../../shared/turn-sample.js';
import type { InspectionNeeds } from '../inspection-needs.js';
import { type CpuTimes, cpuTimes } from './cpu-times.js';
import { type Beats, Heartbeat } from './heartbeat.js';
import { SampledCalls } from './sampled-calls.js';
import { TurnSession } from './turn-session.js';

/** The heartbeat's period as a part of the threshold, and its limits in milliseconds. */
const PERIOD = { part: 1 / 6, least: 2, most: 20 } as const;
/** The interval between two looks at the heartbeats: a part of the threshold, and its limits in milliseconds. */
const LOOK = { part: 1 / 3, least: 4, most: 250 } as const;
/** Looks from one search for threads that have come or gone to the next. */
const FOLLOW = 8;
/** Milliseconds between two looks at a long turn; after so many looks twice the time, and so on. */
const SAMPLE = 5;
const MANY = 64;
/** How often a thread is asked again that was between two functions; in the first looks at a turn, and later. */
const AGAIN = { first: 4, later: 1, looks: 8 } as const;
/**
 * After so many looks at a long turn its thread is held to read arguments, and not again for so many milliseconds: V8 drops the
 * optimized code of a thread that is held.
 */
const PAUSE = { after: 3, every: 5000 } as const;
/** How long the last answer of a thread is waited for, in milliseconds. */
const LAST = 250;

const within = (value: number, { least, most }: { readonly least: number; readonly most: number }): number =>
  Math.min(most, Math.max(least, value));

/** A thread whose turns are watched. */
export interface WatchedThread {
  readonly cpu: number;
  readonly tid: number;
  post(command: { readonly type: 'heartbeat'; readonly period: number }): void;
}

/** What the watch needs of the process. */
export interface TurnNeeds {
  threads(): readonly WatchedThread[];
  /** The heartbeat of a thread, once it has begun. */
  beats(cpu: number): Beats | undefined;
  /** Forgets the heartbeat of a thread. */
  forget(cpu: number): void;
  /** Node's number of a thread; 0 is the main thread. */
  worker(cpu: number): number;
}

/** A turn that is long already. */
interface LongTurn {
  readonly began: number;
  readonly cpu: CpuTimes | undefined;
  readonly looks: Sample[];
  /** When the last answer came, or the first look was asked for. */
  answered: number;
  /** When the sample was asked for that is not answered. */
  asked: number | undefined;
  doing: string | undefined;
  next: number;
  /** What calls were given. */
  readonly arguments: CallArguments[];
  isOver: boolean;
}

/** A thread as the watch knows it. */
interface Watched {
  readonly thread: WatchedThread;
  heartbeat: Heartbeat | undefined;
  turn: LongTurn | undefined;
}

/**
 * Watches the event loops of the process's threads for turns that are too long. While turns are short it reads a number of each
 * thread now and then. From half of the threshold on it looks at the thread's stack, through one session of the inspector that
 * is opened then, and closed when the turn is over.
 */
export class TurnWatch implements TurnWatching {
  readonly #needs: TurnNeeds;
  readonly #inspections: InspectionNeeds;
  readonly #threshold: number;
  readonly #period: number;
  readonly #found: (turn: SlowTurn) => void;
  readonly #calls = new SampledCalls();
  readonly #watched = new Map<number, Watched>();
  #session: TurnSession | undefined;
  #timer: NodeJS.Timeout | undefined;
  #last = 0;
  #looks = 0;
  #nextPause = 0;
  /** Last samples that have not been answered yet. */
  #ending = 0;

  /** @param threshold in milliseconds */
  constructor(needs: TurnNeeds, inspections: InspectionNeeds, threshold: number, found: (turn: SlowTurn) => void) {
    this.#needs = needs;
    this.#inspections = inspections;
    this.#threshold = threshold;
    this.#period = Math.round(within(threshold * PERIOD.part, PERIOD));
    this.#found = found;
    this.#look();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#close();
    for (const { thread } of this.#watched.values()) {
      thread.post({ type: 'heartbeat', period: 0 });
      this.#needs.forget(thread.cpu);
    }
    this.#watched.clear();
  }

  #look(): void {
    const now = performance.now();
    if (this.#looks++ % FOLLOW === 0) this.#follow();
    if (this.#session?.mustEnd === true) this.#close();
    for (const watched of this.#watched.values()) this.#lookAt(watched, now);
    const isLong = [...this.#watched.values()].some(({ turn }) => turn !== undefined);
    if (!isLong && this.#ending === 0) this.#close();
    this.#timer = setTimeout(() => this.#look(), isLong ? SAMPLE : within(this.#threshold * LOOK.part, LOOK));
    this.#timer.unref();
  }

  /** Begins with threads that have started, and forgets those that have ended. */
  #follow(): void {
    const living = this.#needs.threads();
    for (const [cpu, { thread }] of this.#watched) {
      if (living.some((one) => one.cpu === cpu && one.tid === thread.tid)) continue;
      this.#watched.delete(cpu);
      this.#needs.forget(cpu);
    }
    for (const thread of living) {
      if (this.#watched.has(thread.cpu)) continue;
      this.#watched.set(thread.cpu, { thread, heartbeat: undefined, turn: undefined });
      thread.post({ type: 'heartbeat', period: this.#period });
    }
  }

  #lookAt(watched: Watched, now: number): void {
    const { thread } = watched;
    if (watched.heartbeat === undefined) {
      const beats = this.#needs.beats(thread.cpu);
      if (beats !== undefined) watched.heartbeat = new Heartbeat(beats, now);
      return;
    }
    const { silentFor, gap } = watched.heartbeat.look(now);
    if (gap !== undefined) {
      const { turn } = watched;
      watched.turn = undefined;
      if (turn !== undefined) turn.isOver = true;
      // This thread had no core while the turn went on, or the turn was only just too long.
      const isLong = turn !== undefined || gap > this.#threshold;
      if (isLong) void this.#over(watched, turn ?? longTurn(now - gap, undefined, now), gap);
    } else if (silentFor > this.#threshold / 2) {
      watched.turn ??= this.#begin(thread, now - silentFor, now);
      this.#sample(thread, watched.turn, now);
    }
  }

  #begin({ tid }: WatchedThread, began: number, now: number): LongTurn {
    this.#session ??= TurnSession.open(this.#inspections);
    return longTurn(began, cpuTimes(tid), now);
  }

  #sample(thread: WatchedThread, turn: LongTurn, now: number): void {
    if (turn.asked !== undefined) {
      const state = threadState('self', thread.tid);
      if (state !== undefined && state.state !== 'R') turn.doing = describeWait(state);
      return;
    }
    const session = this.#session;
    if (session === undefined || now < turn.next) return;
    turn.asked = now;
    turn.next = now + SAMPLE * 2 ** Math.floor(turn.looks.length / MANY);
    void this.#ask(session, thread, turn).then((look) => {
      if (look !== undefined) turn.looks.push(look);
      turn.asked = undefined;
      turn.doing = undefined;
      if (look !== undefined && this.#wantsArguments(turn, look)) void this.#askArguments(session, thread, turn);
    });
  }

  /** Whether to hold the thread for the arguments of what it runs: it was in JavaScript a moment ago. */
  #wantsArguments(turn: LongTurn, { calls, lateMs }: Sample): boolean {
    const own = calls.find(({ frame }) => frame.isOwn);
    if (turn.isOver || own === undefined || lateMs > LATE || performance.now() - turn.began < this.#threshold) return false;
    return turn.looks.length >= PAUSE.after && performance.now() >= this.#nextPause;
  }

  async #askArguments(session: TurnSession, { cpu }: WatchedThread, turn: LongTurn): Promise<void> {
    this.#nextPause = Number.POSITIVE_INFINITY;
    turn.asked = performance.now();
    const paused = await session.paused(this.#needs.worker(cpu));
    if (paused !== undefined && !turn.isOver) turn.arguments.push(...this.#calls.argumentsOf(paused));
    this.#nextPause = performance.now() + PAUSE.every;
    // The thread stood still, or was in what the next look finds.
    turn.answered = performance.now();
    turn.asked = undefined;
    turn.doing = undefined;
  }

  /** Asks for the stack; again if that was between two functions, which is where V8 lets an interrupt in most often. */
  async #ask(session: TurnSession, { cpu, tid }: WatchedThread, turn: LongTurn): Promise<Sample | undefined> {
    const worker = this.#needs.worker(cpu);
    const asked = performance.now();
    const before = cpuTimes(tid);
    const sample = await session.sample(worker, turn.looks.length === 0 ? 'first' : 'next');
    if (sample === undefined) return undefined;
    const lateMs = performance.now() - asked - queuedBetween(before, cpuTimes(tid));
    let { frames, callback } = sample;
    const again = turn.looks.length < AGAIN.looks ? AGAIN.first : AGAIN.later;
    for (let i = 0; i < again && frames.length === 0 && lateMs < SAMPLE && turn.asked !== undefined; i++) {
      ({ frames, callback } = (await session.sample(worker, 'next')) ?? { frames: [] });
    }
    const answered = performance.now();
    const ms = answered - turn.answered;
    turn.answered = answered;
    return {
      ms,
      lateMs,
      ...this.#calls.of(frames, lateMs),
      ...(callback !== undefined && { callback: this.#calls.called(callback) }),
      ...(turn.doing !== undefined && { doing: turn.doing }),
    };
  }

  async #over({ thread, heartbeat }: Watched, turn: LongTurn, gap: number): Promise<void> {
    const session = this.#session;
    const worker = this.#needs.worker(thread.cpu);
    // What is asked now is answered after what was asked before.
    const last = session?.sample(worker, 'last');
    const longest = heartbeat!.exact(gap);
    const ms = longest - this.#period / 2;
    // The last beat before it was seen some time after it was.
    const began = Math.min(turn.began, performance.now() - ms);
    const cpu = cpuTimes(thread.tid);
    this.#ending++;
    const collections = await Promise.race([last, sleep(LAST, undefined)]);
    this.#ending--;
    if (ms < this.#threshold || this.#timer === undefined) return;
    this.#found(
      foldTurn({
        number: ++this.#last,
        at: new Date(performance.timeOrigin + began).toISOString(),
        clock: traceClock() - Math.round((performance.now() - began) * 1e6),
        ms,
        inexactMs: this.#period,
        thread: { thread: worker, name: session?.nameOf(worker) ?? '', tid: thread.tid } satisfies TurnThread,
        ...timesOf(turn.cpu, cpu, ms),
        ...collectionsOf(collections?.collections),
        looks: turn.looks,
        arguments: turn.arguments,
      }),
    );
  }

  #close(): void {
    this.#session?.close();
    this.#session = undefined;
  }
}

const longTurn = (began: number, cpu: CpuTimes | undefined, now: number): LongTurn => ({
  began,
  cpu,
  looks: [],
  answered: now,
  asked: undefined,
  doing: undefined,
  next: now,
  arguments: [],
  isOver: false,
});

/** How long a thread has waited for a core between two readings, in milliseconds. */
const queuedBetween = (from: CpuTimes | undefined, to: CpuTimes | undefined): number =>
  from === undefined || to === undefined ? 0 : to.queuedMs - from.queuedMs;

/** What is over when the turn is seen to be over is not of the turn. */
const timesOf = (from: CpuTimes | undefined, to: CpuTimes | undefined, ms: number) =>
  from && to && { cpuMs: Math.min(ms, to.cpuMs - from.cpuMs), queuedMs: Math.min(ms, to.queuedMs - from.queuedMs) };

const collectionsOf = (all: SampledCollections | undefined) => all && { collections: { count: all.count, ms: all.us / 1000 } };
