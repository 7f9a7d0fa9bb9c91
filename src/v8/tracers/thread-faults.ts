import { compileFunction } from 'node:vm';
import { AtomicsAdd, AtomicsCompareExchange, AtomicsLoad, MathFloor, MathRandom as random } from '../../base/primordials.js';
import { FAULT_WORD, type FaultChange } from '../../ftrace/tracers/diversions.js';
import { reflectApply } from '../realm/primordials.js';
import type { Diversion, Diversions, Instead } from './diversion.js';

const { PROBABILITY, INTERVAL, TIMES, SPACE, VERBOSE, COUNT } = FAULT_WORD;
/** fail_function's name for itself. */
const NAME = 'fail_function';

/** What tells the user that a call was made to fail. */
export interface FaultNeeds {
  mark(text: string): void;
  /** A condition of a function threw. */
  faultCondition(n: number, error: unknown): void;
}

/** Whether a call is to fail now (should_fail, lib/fault-inject.c). */
function shouldFail(words: Int32Array): boolean {
  if (AtomicsLoad(words, TIMES) === 0) return false;
  if (AtomicsLoad(words, SPACE) > 0) {
    AtomicsAdd(words, SPACE, -1);
    return false;
  }
  const interval = AtomicsLoad(words, INTERVAL);
  if (interval > 1 && (AtomicsAdd(words, COUNT, 1) + 1) % interval !== 0) return false;
  return AtomicsLoad(words, PROBABILITY) > MathFloor(random() * 100);
}

/** Takes one of the times that are left. Another thread may have taken the last one. */
function takeTime(words: Int32Array): boolean {
  for (;;) {
    const left = AtomicsLoad(words, TIMES);
    if (left < 0) return true;
    if (left === 0) return false;
    if (AtomicsCompareExchange(words, TIMES, left, left - 1) === left) return true;
  }
}

const report = (words: Int32Array): string =>
  `FAULT_INJECTION: forcing a failure. name ${NAME}, interval ${words[INTERVAL]}, probability ${words[PROBABILITY]}, space ${words[SPACE]}, times ${words[TIMES]}`;

/** The error injection of one thread: functions that throw, or return a given value, in place of their own code. */
export class ThreadFaults {
  readonly #diversions: Diversions;
  readonly #needs: FaultNeeds;

  constructor(diversions: Diversions, needs: FaultNeeds) {
    this.#diversions = diversions;
    this.#needs = needs;
  }

  obey(change: FaultChange): void {
    if (change.type === 'no fault') {
      for (const n of change.functions) this.#diversions.delete(n);
      return;
    }
    const words = new Int32Array(change.memory);
    for (const { n, params } of change.functions) {
      this.#diversions.set(n, this.#diversionOf(words, n, params, change.retval, change.condition));
    }
  }

  #diversionOf(words: Int32Array, n: number, params: readonly string[], retval: string, condition: string): Diversion {
    const body = retval.startsWith('throw ') ? retval : `return (${retval}\n)`;
    const result = compileFunction(body, [...params], { filename: NAME });
    const wanted = condition === '' ? undefined : compileFunction(`return (${condition}\n)`, [...params]);
    const needs = this.#needs;
    let isTold = false;
    // A condition that always throws, because a name is misspelt, would be one that is never true.
    const failed = (error: unknown): void => {
      if (isTold) return;
      isTold = true;
      try {
        needs.faultCondition(n, error);
      } catch {
        // Its name or its message is a getter that throws.
      }
    };
    const instead: Instead = (self, args) => reflectApply(result as never, self === 0 ? undefined : self, args as never);
    return {
      follows: false,
      choose(self, args) {
        if (wanted !== undefined && !isTrue(wanted, self, args, failed)) return undefined;
        if (!shouldFail(words)) return undefined;
        if (AtomicsLoad(words, VERBOSE) > 0) needs.mark(report(words));
        return takeTime(words) ? instead : undefined;
      },
    };
  }
}

/** A condition is the user's code, and must not harm the program: where it throws, it is false. @param failed is told of that */
function isTrue(condition: unknown, self: unknown, args: readonly unknown[], failed: (error: unknown) => void): boolean {
  try {
    return Boolean(reflectApply(condition as never, self === 0 ? undefined : self, args as never));
  } catch (error) {
    failed(error);
    return false;
  }
}
