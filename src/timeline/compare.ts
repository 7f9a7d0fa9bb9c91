import type { DiffAnswer, FunctionChange, FunctionSums, TimeChange, Verdict } from '../answers/diff/diff-answer.js';
import type { Frame } from '../answers/place.js';
import type { DurationBatches } from '../base/duration-batches.js';
import type { DurationHistogram } from '../base/duration-histogram.js';
import { matchFunctions } from './match-functions.js';
import { correctedForMany, normalTails, rankTest } from './rank-test.js';

/** The calls of a function of a recording, in memory that does not grow with their number. Times are ns. */
export interface MeasuredFunction extends Frame {
  readonly calls: number;
  /** From call to return, with waits; recursion counts once. */
  readonly total: number;
  /** On the stack, with callees; recursion counts once. */
  readonly running: number;
  /** On the stack, without callees. */
  readonly self: number;
  /** Each call to its return. */
  readonly times: DurationHistogram;
  readonly callBatches: DurationBatches;
  /** The function's own code, a stay on the stack each. */
  readonly ownBatches: DurationBatches;
  /** How often it called other functions. */
  readonly callees: ReadonlyMap<MeasuredFunction, number>;
}

/** A recording's calls, by function. */
export interface MeasuredRecording<One extends MeasuredFunction = MeasuredFunction> {
  readonly file: string;
  readonly application: string;
  readonly functions: readonly One[];
}

/** What a function is blamed for: that would happen by chance in one of a hundred comparisons. */
export const SIGNIFICANT = 0.01;
/** Less of a change is never blamed: two runs of one program differ as much, by where its memory lies. */
export const LEAST_CHANGE = 0.05;
/** Functions with fewer calls cannot be compared. */
const LEAST_BATCHES = 8;
/** Fewer functions do not tell what the machine did. */
const LEAST_FOR_MACHINE = 8;
/** By which part of its time a function differs from run to run on common machines: loops of one program did so. */
export const USUAL_NOISE = 0.08;
/** The part of a normal distribution that is within its standard deviation. */
const WITHIN_SIGMA = 0.6827;
/** A function's own code explains a change of which it has this part. */
const OWN_PART = 0.2;
/** A callee explains a caller's change if it has this part of it. */
const EXPLAINS = 0.5;

/** A function of two recordings. */
export interface ComparedFunction<One extends MeasuredFunction> {
  readonly before?: One;
  readonly after?: One;
  /** Absent: no call of it has ended. */
  readonly change?: FunctionChange;
}

/** What a comparison finds. */
export interface RecordingComparison<One extends MeasuredFunction> {
  readonly answer: DiffAnswer;
  /** All functions, in the order of the answer. */
  readonly functions: readonly ComparedFunction<One>[];
}

/**
 * Compares two recordings by function, and says which function is which.
 * @param leastNoise by which part of its time a function differs from run to run at least; more, if the recordings show more
 */
export function compareFunctions<One extends MeasuredFunction>(
  before: MeasuredRecording<One>,
  after: MeasuredRecording<One>,
  leastNoise = USUAL_NOISE,
): RecordingComparison<One> {
  const matched = matchFunctions(before, after);
  const all: readonly ComparedFunction<One>[] = [
    ...matched.both.map(([old, now]) => ({ before: old, after: now })),
    ...matched.gone.map((one) => ({ before: one })),
    ...matched.added.map((one) => ({ after: one })),
  ];
  const pairs = new Map<ComparedFunction<One>, Pair>();
  for (const one of all) if (isMeasured(one.before) && isMeasured(one.after)) pairs.set(one, new Pair(one.before, one.after));
  const machine = machineOf([...pairs.values()], Math.log2(1 + leastNoise));
  const compared = [...pairs.values()].flatMap(({ call, own }) => [call, own]).filter(({ isComparable }) => isComparable);
  const probabilities = correctedForMany(compared.map((one) => one.test(machine)));
  for (const [i, one] of compared.entries()) one.judge(probabilities[i]!, machine);
  const judged = new Map([...pairs.values()].flatMap((pair) => [pair.before, pair.after].map((one) => [one, pair] as const)));
  const functions = all
    .map((one): ComparedFunction<One> => {
      const change = pairs.get(one)?.change(judged) ?? oneSided(one);
      return change === undefined ? one : { ...one, change };
    })
    .sort((a, b) => sizeOf(b) - sizeOf(a));
  const answer: DiffAnswer = {
    answer: 'diff',
    version: 1,
    application: after.application,
    before: diffed(before),
    after: diffed(after),
    drift: 2 ** machine.drift,
    noise: 2 ** machine.noise - 1,
    functions: functions.flatMap(({ change }) => (change === undefined ? [] : [change])),
  };
  return { answer, functions };
}

/** Compares two recordings by function, as `compareFunctions` does. */
export const compareRecordings = (before: MeasuredRecording, after: MeasuredRecording, leastNoise = USUAL_NOISE): DiffAnswer =>
  compareFunctions(before, after, leastNoise).answer;

/** Whether a call of a function has ended, or had time of its own. */
const isMeasured = <One extends MeasuredFunction>(one: One | undefined): one is One =>
  one !== undefined && (one.calls > 0 || one.self > 0);

const sizeOf = ({ change }: ComparedFunction<MeasuredFunction>): number => (change === undefined ? -1 : Math.abs(change.change));

/** The change of a function that only one of the recordings has measured; undefined if none has. */
function oneSided({ before, after }: ComparedFunction<MeasuredFunction>): FunctionChange | undefined {
  if (isMeasured(after)) return { ...frameOf(after), after: sumsOf(after), change: after.total, verdict: 'new' };
  if (isMeasured(before)) return { ...frameOf(before), before: sumsOf(before), change: -before.total, verdict: 'gone' };
  return undefined;
}

/** A function that is in both recordings. */
class Pair {
  readonly before: MeasuredFunction;
  readonly after: MeasuredFunction;
  readonly call: Compared;
  readonly own: Compared;

  constructor(before: MeasuredFunction, after: MeasuredFunction) {
    this.before = before;
    this.after = after;
    this.call = new Compared(before.callBatches, after.callBatches);
    this.own = new Compared(before.ownBatches, after.ownBatches);
  }

  get verdict(): Verdict {
    if (!this.call.isComparable) return 'few';
    const isOwn = this.#isOwnChange();
    if (!isOwn && !this.call.isChange) return 'same';
    return (isOwn ? this.own : this.call).ratio > 1 ? 'slower' : 'faster';
  }

  /** ns by which a call takes longer. */
  get growth(): number {
    return averageOf(this.before) * (this.call.ratio - 1);
  }

  change(judged: Judged): FunctionChange {
    const { before, after, verdict } = this;
    const { place: was } = before;
    const isMoved = was !== undefined && (was.line !== after.place?.line || was.file !== after.place.file);
    return {
      ...frameOf(after),
      ...(isMoved && { was }),
      before: sumsOf(before),
      after: sumsOf(after),
      change: after.total - before.total,
      verdict,
      ...((verdict === 'slower' || verdict === 'faster') && this.#cause(judged)),
      ...(this.call.isComparable && { call: this.call.data() }),
      ...(this.own.isComparable && { own: this.own.data() }),
    };
  }

  /** Whether its own code has changed so much that it shows in the time of its calls, and is what changed them. */
  #isOwnChange(): boolean {
    const own = this.own.typical * (this.own.ratio - 1);
    const call = this.call.typical * (this.call.ratio - 1);
    const isShown = Math.abs(own) >= LEAST_CHANGE * this.call.typical;
    return this.own.isChange && isShown && (Math.sign(call) !== Math.sign(own) || Math.abs(own) >= OWN_PART * Math.abs(call));
  }

  #cause(judged: Judged): Pick<FunctionChange, 'cause' | 'callee'> {
    if (this.#isOwnChange()) return { cause: 'own' };
    const { verdict } = this;
    const sign = verdict === 'slower' ? 1 : -1;
    const enough = EXPLAINS * sign * this.growth;
    const callees = this.#callees(judged);
    const inside = callees.filter(({ pair }) => pair?.verdict === verdict);
    const longer = inside.reduce((sum, { perCall, pair }) => sum + perCall.after * pair!.growth, 0);
    if (sign * longer >= enough) return { cause: 'callees' };
    const [most] = callees
      .map(({ name, perCall, average }) => {
        return { callee: { name, ...perCall }, time: sign * (perCall.after - perCall.before) * average };
      })
      .sort((a, b) => b.time - a.time);
    const waiting = sign * (waitOf(this.after) - waitOf(this.before));
    if (most !== undefined && most.time > Math.max(waiting, 0)) return { cause: 'calls', callee: most.callee };
    return { cause: waiting > 0 ? 'waiting' : 'callees' };
  }

  /** The functions that it calls in either recording, how often in a call, and how long they take. */
  #callees(judged: Judged) {
    const { before, after } = this;
    const known = new Map<MeasuredFunction | Pair, { name: string; before: number; after: number; average: number }>();
    for (const [side, of] of [['before', before] as const, ['after', after] as const]) {
      for (const [callee, count] of of.callees) {
        const pair = judged.get(callee);
        if (pair === this) continue;
        const { name } = callee;
        const one = known.get(pair ?? callee) ?? { name, before: 0, after: 0, average: averageOf(pair?.before ?? callee) };
        known.set(pair ?? callee, one);
        one[side] = count / of.calls;
      }
    }
    return Array.from(known, ([of, { name, before, after, average }]) => {
      return { pair: of instanceof Pair ? of : undefined, name, average, perCall: { before, after } };
    });
  }
}

/** The functions of both recordings. */
type Judged = ReadonlyMap<MeasuredFunction, Pair>;

/** Times of a function in both recordings. */
class Compared {
  readonly #before: readonly number[];
  readonly #after: readonly number[];
  #p = 1;
  /** How many times as long it takes, without the drift. */
  ratio = 1;

  constructor(before: DurationBatches, after: DurationBatches) {
    this.#before = before.means();
    this.#after = after.means();
  }

  get isComparable(): boolean {
    return Math.min(this.#before.length, this.#after.length) >= LEAST_BATCHES;
  }

  /** ns of a typical call before. */
  get typical(): number {
    return 2 ** median(this.#before);
  }

  /** The logarithm (base 2) of how many times as long it takes. */
  get shift(): number {
    return median(this.#after) - median(this.#before);
  }

  get isChange(): boolean {
    return this.isComparable && this.#p < SIGNIFICANT && Math.abs(Math.log2(this.ratio)) >= Math.log2(1 + LEAST_CHANGE);
  }

  /** The probability that it takes the same time, by what its calls differ among themselves, and functions by themselves. */
  test({ drift, noise }: Machine): number {
    const now = this.#after.map((time) => time - drift);
    return Math.max(rankTest(this.#before, now), normalTails(sigmas(this.shift - drift, noise)));
  }

  judge(p: number, { drift }: Machine): void {
    this.#p = p;
    this.ratio = 2 ** (this.shift - drift);
  }

  data(): TimeChange {
    return { ratio: this.ratio, p: this.#p };
  }
}

/** How functions differ that are the same: logarithms (base 2) of how many times as long their own code takes. */
interface Machine {
  /** In the middle: what the machine did to all of them. */
  readonly drift: number;
  /** The standard deviation from that, by what most functions do. */
  readonly noise: number;
}

/**
 * Two runs differ for more reasons than calls of one run: where code and data lie in memory, who else uses the cores. Most
 * functions are taken for unchanged, so what these differ by is that noise.
 */
function machineOf(pairs: readonly Pair[], least: number): Machine {
  const shifts = pairs.filter(({ own }) => own.isComparable).map(({ own }) => own.shift);
  if (shifts.length < LEAST_FOR_MACHINE) return { drift: 0, noise: least };
  const drift = median(shifts);
  const distances = shifts.map((shift) => Math.abs(shift - drift)).sort((a, b) => a - b);
  return { drift, noise: Math.max(least, distances[Math.floor(WITHIN_SIGMA * distances.length)]!) };
}

/** How many standard deviations a shift is; without noise, any shift is more than all. */
const sigmas = (shift: number, noise: number): number => (shift === 0 ? 0 : Math.abs(shift) / noise);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A call of a function. */
const averageOf = ({ total, calls }: MeasuredFunction): number => (calls === 0 ? 0 : total / calls);
const waitOf = ({ total, running, calls }: MeasuredFunction): number => (calls === 0 ? 0 : (total - running) / calls);

const frameOf = ({ name, place, package: from, isOwn, isNative }: Frame): Frame => ({
  name,
  ...(place && { place }),
  ...(from !== undefined && { package: from }),
  isOwn,
  ...(isNative && { isNative }),
});

function sumsOf({ calls, total, self, times }: MeasuredFunction): FunctionSums {
  return { calls, total, self, p50: times.quantile(0.5), p90: times.quantile(0.9), p99: times.quantile(0.99) };
}

const diffed = ({ file, application, functions }: MeasuredRecording) => ({
  file,
  application,
  time: functions.reduce((sum, { self }) => sum + self, 0),
});
