import type { ScriptPoint } from '../../script/program.js';
import type { HandlerCode } from '../../script/script-code.js';

const NS_PER_MS = 1_000_000;
/** The longest time that a timer of Node's takes, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;
/** More hits of a timer that has no time to run are not made up for. */
const MOST_AT_ONCE = 1000;

type TimerPoint = Extract<ScriptPoint, { kind: 'timer' | 'profile' }>;

/**
 * The timers of a script: they run on the control thread, so also while the program is busy. Those that sample the program have
 * it interrupted.
 */
export class ScriptTimers {
  readonly #handlers: readonly (readonly [index: number, point: TimerPoint])[];
  readonly #run: Readonly<Record<TimerPoint['kind'], (handler: number) => void>>;
  readonly #waiting = new Set<NodeJS.Timeout>();
  #isOn = false;

  constructor(handlers: readonly HandlerCode[], run: Readonly<Record<TimerPoint['kind'], (handler: number) => void>>) {
    this.#handlers = handlers.flatMap(({ point }, i) =>
      point.kind === 'timer' || point.kind === 'profile' ? [[i, point] as const] : [],
    );
    this.#run = run;
  }

  start(): void {
    this.#isOn = true;
    const now = performance.now();
    for (const [index, point] of this.#handlers) this.#wait(index, point, now + periodOf(point));
  }

  stop(): void {
    this.#isOn = false;
    for (const timer of this.#waiting) clearTimeout(timer);
    this.#waiting.clear();
  }

  /** @param due milliseconds of performance.now() */
  #wait(index: number, point: TimerPoint, due: number): void {
    const timer = setTimeout(
      () => {
        this.#waiting.delete(timer);
        let next = due;
        for (let i = 0; i < MOST_AT_ONCE && this.#isOn && next <= performance.now(); i++) {
          this.#run[point.kind](index);
          next += periodOf(point);
          // What was not sampled in time is over.
          if (point.kind === 'profile') next = Math.max(next, performance.now());
        }
        if (this.#isOn) this.#wait(index, point, Math.max(next, performance.now() - 1));
      },
      Math.min(LONGEST_WAIT, Math.max(0, due - performance.now())),
    );
    this.#waiting.add(timer);
  }
}

/** Milliseconds to its next hit. */
function periodOf(point: TimerPoint): number {
  const random = point.kind === 'timer' ? (point.randomNs ?? 0) : 0;
  return Math.max(point.everyNs + (2 * Math.random() - 1) * random, 1) / NS_PER_MS;
}
