import type { Frame, Place } from '../place.js';
import { callbackKind } from './callback-kind.js';
import { type CallArguments, isCallOf, type Sample, type SampledCall, type WatchedTurn } from './sampled-turn.js';
import type { SlowTurn, TurnCallback, TurnFunction, TurnOperation } from './slow-answer.js';

/** A thread that answers later than this, in milliseconds, was in native code until then. */
export const LATE = 12;
/** The most functions, callbacks and operations that are kept of a turn. */
const MOST = { functions: 20, callbacks: 20, operations: 10 } as const;

/** Node's file that hands on messages of other threads, which are decoded before it is called. */
const HANDS_ON = 'node:internal/per_context/messageport';
/** Node's file that decodes messages of other processes, and its function that has it do so; handlers are called later. */
const DECODES = 'node:internal/child_process/serialization';
const READS = { file: 'node:internal/child_process', name: /onread$/ } as const;

/** Whether messages were decoded in a call, or just before it began. */
function isReceiving({ frame: { name, place }, isEntry }: SampledCall): boolean {
  const file = place?.file;
  return (file === HANDS_ON && isEntry === true) || file === DECODES || (file === READS.file && READS.name.test(name));
}
/** Node's synchronous operations that wait for something outside of the process. */
const SYNC_FILE = /^node:(?:internal\/)?(?:fs|child_process)$/;
const WAIT = 'Atomics.wait';
/** V8 waits so, too, for the threads that help it collect. */
const LOCK = /\(futex\)/;
const LOADER_FILE = /^node:internal\/modules\//;

/** Counts milliseconds by keys. */
class Times<Value> {
  readonly #byKey = new Map<string, { value: Value; ms: number }>();

  add(key: string, value: Value, ms: number): Value {
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, { value, ms });
    else known.ms += ms;
    return known?.value ?? value;
  }

  /** In the order in which they came. */
  get all(): readonly { readonly value: Value; readonly ms: number }[] {
    return [...this.#byKey.values()];
  }

  get largestFirst(): readonly { readonly value: Value; readonly ms: number }[] {
    return [...this.#byKey.values()].sort((a, b) => b.ms - a.ms);
  }
}

const placeKey = (place: Place | undefined): string => (place === undefined ? '' : `${place.file}:${place.line}:${place.column}`);

/** The key of a call: the same for all calls of a function. */
const keyOf = ({ frame, from }: SampledCall): string =>
  `${frame.name} ${from === undefined ? (frame.place?.file ?? '') : placeKey(from)}`;

/** A function with the place where it begins. */
const functionOf = ({ frame, from }: SampledCall): Frame => (from === undefined ? frame : { ...frame, place: from });

/** A sample without the function that native code of before was followed by. */
interface SeenSample extends Sample {
  /** The innermost call called native code that had ended when the thread answered. */
  readonly isBehind: boolean;
}

function seen(sample: Sample): SeenSample {
  const { callback } = sample;
  const hasOthers = sample.calls.some(({ frame }) => frame.package !== 'node');
  if (callback !== undefined && sample.lateMs > LATE && !hasOthers) {
    const outer = sample.calls.filter(({ isEntry }) => !isEntry);
    return { ...sample, calls: [callback, ...outer], isBehind: true };
  }
  const [inner] = sample.calls;
  const isBehind = sample.lateMs > LATE && inner?.isEntry === true;
  return { ...sample, calls: isBehind ? sample.calls.slice(1) : sample.calls, isBehind };
}

interface CountedFunction {
  readonly call: SampledCall;
  total: number;
  own: number;
  behind: number;
  byText: number;
  readonly lines: Times<number>;
  readonly called: Times<Frame | undefined>;
}

/** Counts what was in a turn. Pure. */
export function foldTurn({ looks, arguments: known, ...turn }: WatchedTurn): SlowTurn {
  const samples = looks.map(seen);
  const sampledMs = looks.reduce((sum, { ms }) => sum + ms, 0);
  const share = (ms: number): number => (sampledMs === 0 ? 0 : ms / sampledMs);
  const functions = new Map<string, CountedFunction>();
  const callbacks = new Times<Omit<TurnCallback, 'share'>>();
  const operations = new Times<Omit<TurnOperation, 'ms'>>();
  const waits = new Times<string>();
  let decodingMs = 0;
  let resumingMs = 0;
  let unseenMs = 0;
  for (const sample of samples) {
    const { calls, ms, lateMs, doing } = sample;
    const isWait = doing !== undefined && (!LOCK.test(doing) || calls.some(({ frame }) => frame.name === WAIT));
    if (isWait && lateMs > LATE) waits.add(doing, doing, ms);
    const hasOwn = calls.some(({ frame }) => frame.package !== 'node');
    const receives = hasOwn ? [] : looks[samples.indexOf(sample)]!.calls.filter(isReceiving);
    if (lateMs > LATE && receives.length > 0) {
      decodingMs += ms;
      const kind = callbackKind(receives.map(({ frame }) => frame));
      callbacks.add(kind, { kind }, ms);
      continue;
    }
    if (!hasOwn) {
      if (lateMs > LATE) unseenMs += ms;
      else if (calls.length === 0) resumingMs += ms;
    }
    if (calls.length === 0) continue;
    countCallback(callbacks, calls, ms);
    countFunctions(functions, sample);
    countOperation(operations, calls, ms);
  }
  return {
    ...turn,
    samples: looks.length,
    sampledMs,
    callbacks: callbacks.all.map(({ value, ms }) => ({ ...value, share: share(ms) })).slice(0, MOST.callbacks),
    functions: [...functions.values()]
      .filter(({ own, total }) => own > 0 || total > 0)
      .sort((a, b) => b.own - a.own || b.total - a.total)
      .slice(0, MOST.functions)
      .map((one) => turnFunction(one, share, known)),
    synchronous: operations.largestFirst.map(({ value, ms }) => ({ ...value, ms })).slice(0, MOST.operations),
    waits: waits.largestFirst.map(({ value, ms }) => ({ doing: value, ms })),
    decodingMs,
    resumingMs,
    unseenMs,
  };
}

function countCallback(callbacks: Times<Omit<TurnCallback, 'share'>>, calls: readonly SampledCall[], ms: number): void {
  const stack = calls.filter(({ isAsync }) => !isAsync);
  const kind = callbackKind(stack.map(({ frame }) => frame));
  // What a promise's reaction goes on with is the innermost of those that wait for nothing else on the stack.
  const outermost = stack.findLast(({ frame }) => frame.isOwn) ?? calls.find(({ frame }) => frame.isOwn);
  const key = outermost === undefined ? '' : keyOf(outermost);
  callbacks.add(`${kind} ${key}`, { kind, ...(outermost && { frame: functionOf(outermost) }) }, ms);
}

function countFunctions(functions: Map<string, CountedFunction>, { calls, ms, isBehind, isByText }: SeenSample): void {
  const own = calls.findIndex(({ frame }) => frame.isOwn);
  const other = calls.findIndex(({ frame }) => frame.package !== 'node');
  const at = own >= 0 ? own : other;
  const onStack = new Set<string>();
  calls.forEach((call, i) => {
    if (!call.frame.isOwn && i !== at) return;
    const key = keyOf(call);
    let counted = functions.get(key);
    if (counted === undefined) {
      counted = { call, total: 0, own: 0, behind: 0, byText: 0, lines: new Times(), called: new Times() };
      functions.set(key, counted);
    }
    if (!onStack.has(key)) counted.total += ms;
    onStack.add(key);
    if (i !== at) return;
    counted.own += ms;
    if (isBehind && i === 0) counted.behind += ms;
    if (isByText) counted.byText += ms;
    const line = call.frame.place?.line ?? 0;
    counted.lines.add(String(line), line, ms);
    // A call that waits for the function that is about to go on has called nothing.
    const called = call.isAsync ? undefined : calls[i - 1];
    const name = called === undefined ? '' : keyOf(called);
    counted.called.add(name, called && functionOf(called), ms);
  });
}

function turnFunction(counted: CountedFunction, share: (ms: number) => number, known: readonly CallArguments[]): TurnFunction {
  const { call, own, total, behind, byText, lines, called } = counted;
  const most = called.largestFirst[0]?.value;
  const values = known.find((one) => isCallOf(call, one))?.arguments;
  return {
    frame: functionOf(call),
    share: share(own),
    totalShare: share(total),
    line: lines.largestFirst[0]?.value ?? call.frame.place?.line ?? 0,
    ...(values?.length && { arguments: values }),
    ...(most && { called: most }),
    ...(behind > own / 2 && { calledBefore: true }),
    ...(byText > own / 2 && { isByText: true }),
  };
}

/** Counts the outermost synchronous operation of Node's that was on the stack. */
function countOperation(operations: Times<Omit<TurnOperation, 'ms'>>, calls: readonly SampledCall[], ms: number): void {
  for (let i = calls.length - 1; i >= 0; i--) {
    const { frame, isAsync } = calls[i]!;
    const file = frame.place?.file ?? '';
    if (isAsync || frame.package !== 'node') continue;
    const isSync = /Sync$/.test(frame.name) && SYNC_FILE.test(file);
    const isLoading = LOADER_FILE.test(file) && calls.slice(i + 1).some(({ frame: outer }) => outer.package !== 'node');
    if (!isSync && !isLoading && frame.name !== WAIT) continue;
    const by = calls.slice(i + 1).find(({ frame: outer }) => outer.isOwn);
    const name = isLoading ? 'require or import' : frame.name;
    operations.add(`${name} ${by === undefined ? '' : keyOf(by)}`, { name, ...(by && { by: functionOf(by) }) }, ms);
    return;
  }
}
