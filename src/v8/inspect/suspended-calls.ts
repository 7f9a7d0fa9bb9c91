import { EDGE, type HeapGraph, NODE } from './heap-graph.js';

/** A call that waits in an `await`; or a callback of `then` that waits for such a call, and for which no call waits. */
export interface HeapCall {
  readonly kind: 'call' | 'callback';
  /** The node of the suspended call's object, or of the callback. */
  readonly node: number;
  /** The node of its function. */
  readonly closure: number;
  /** The node of its receiver; -1: none is known. */
  readonly receiver: number;
  /** The node of the promise that it awaits; -1 for a callback. */
  readonly awaited: number;
  /** The node of the promise that was made when it was suspended; -1: there is none. */
  readonly suspension: number;
  /** Indexes of those that wait for it. */
  readonly waiters: readonly number[];
}

/** What waits for a promise. */
interface Waiters {
  readonly generators: number[];
  /** For each of `generators` the promise that was made when it was suspended; -1: there is none. */
  readonly suspensions: number[];
  /** Promises that follow it. */
  readonly promises: number[];
  /** Callbacks of the program's. */
  readonly callbacks: number[];
}

const REACTION = 'system / PromiseReaction';
const CAPABILITY = 'system / PromiseCapability';
const REQUEST = 'system / AsyncGeneratorRequest';

/** Finds the suspended async calls of a heap, and which waits for which. */
export function suspendedCalls(graph: HeapGraph): readonly HeapCall[] {
  const waitersOf = pendingPromises(graph);
  const awaited = new Map<number, { readonly promise: number; readonly suspension: number }>();
  for (const [promise, { generators, suspensions }] of waitersOf) {
    for (const [i, generator] of generators.entries()) awaited.set(generator, { promise, suspension: suspensions[i]! });
  }
  const generators = [...awaited.keys()];
  const indexes = new Map(generators.map((node, i) => [node, i]));
  const callbacks: number[] = [];
  const indexOfCallback = (node: number): number => {
    const known = indexes.get(node);
    if (known !== undefined) return known;
    indexes.set(node, generators.length + callbacks.length);
    return generators.length + callbacks.push(node) - 1;
  };
  const calls = generators.map((node): HeapCall => {
    const ends = endsOf(resultsOf(graph, node), waitersOf);
    const waiting = ends.generators.map((waiter) => indexes.get(waiter)!);
    return {
      kind: 'call',
      node,
      closure: graph.internal(node, 'function'),
      receiver: graph.internal(node, 'receiver'),
      awaited: awaited.get(node)!.promise,
      suspension: awaited.get(node)!.suspension,
      waiters: waiting.length > 0 ? waiting : ends.callbacks.slice(0, 1).map(indexOfCallback),
    };
  });
  const roots = callbacks.map(
    (node): HeapCall => ({ kind: 'callback', node, closure: node, receiver: -1, awaited: -1, suspension: -1, waiters: [] }),
  );
  return [...calls, ...roots];
}

/** The promises that something waits for, and what that is. */
function pendingPromises(graph: HeapGraph): Map<number, Waiters> {
  const found = new Map<number, Waiters>();
  for (let node = 0; node < graph.size; node++) {
    if (graph.typeOf(node) !== NODE.OBJECT) continue;
    const first = graph.internal(node, 'reactions_or_result');
    if (first < 0 || !graph.isNamed(first, REACTION)) continue;
    const waiters: Waiters = { generators: [], suspensions: [], promises: [], callbacks: [] };
    for (let reaction = first; reaction >= 0; reaction = addReaction(graph, reaction, waiters));
    found.set(node, waiters);
  }
  return found;
}

/** Adds what a reaction makes wait; returns the next reaction of the promise, or -1. */
function addReaction(graph: HeapGraph, reaction: number, waiters: Waiters): number {
  let next = -1;
  const handlers: number[] = [];
  const others: number[] = [];
  graph.forEdges(reaction, (target, kind) => {
    if (kind !== EDGE.HIDDEN && kind !== EDGE.INTERNAL) return;
    if (graph.isNamed(target, REACTION)) next = target;
    // For a rejection, then for fulfilment.
    else if (graph.typeOf(target) === NODE.CLOSURE && kind === EDGE.HIDDEN) handlers.unshift(target);
    else {
      addPromise(graph, target, waiters.promises);
      others.push(target);
    }
  });
  for (const handler of handlers) {
    if (graph.locationOf(handler) !== undefined) {
      waiters.callbacks.push(handler);
      continue;
    }
    // One of V8's own: its context has what goes on, be it a call, a promise, or a callback of `finally`.
    const context = graph.internal(handler, 'context');
    if (context < 0) continue;
    const generator = graph.internal(context, 'extension');
    if (generator >= 0 && graph.internal(generator, 'parameters_and_registers') >= 0) {
      waiters.generators.push(generator);
      // V8 makes it for async hooks, and each await has one of its own. Nothing waits for it: it has no reactions to know it by.
      waiters.suspensions.push(
        others.find((node) => graph.typeOf(node) === NODE.OBJECT && graph.nameOf(node) === 'Promise') ?? -1,
      );
      return next;
    }
    graph.forEdges(context, (target, kind) => {
      if (kind !== EDGE.HIDDEN) return;
      if (graph.typeOf(target) === NODE.CLOSURE && graph.locationOf(target) !== undefined) waiters.callbacks.push(target);
      else addPromise(graph, target, waiters.promises);
    });
  }
  return next;
}

/** Adds a promise that something waits for, or that of a capability. */
function addPromise(graph: HeapGraph, node: number, promises: number[]): void {
  if (graph.internal(node, 'reactions_or_result') >= 0) promises.push(node);
  else if (graph.isNamed(node, CAPABILITY)) {
    graph.forEdges(node, (target) => {
      if (graph.internal(target, 'reactions_or_result') >= 0) promises.push(target);
    });
  }
}

/** The promises of a call's result: one of an async function, those of all requests of an async generator. */
function resultsOf(graph: HeapGraph, generator: number): readonly number[] {
  const results: number[] = [];
  const seen = new Set([generator]);
  for (const node of seen) {
    // A request has a value, too, before its promise.
    let result = -1;
    graph.forEdges(node, (target, kind) => {
      if (kind !== EDGE.HIDDEN) return;
      if (graph.isNamed(target, REQUEST)) seen.add(target);
      else if (graph.internal(target, 'reactions_or_result') >= 0) result = target;
    });
    if (result >= 0) results.push(result);
  }
  return results;
}

/** The calls that wait for any of these promises, through others; and the callbacks on the way, the nearest first. */
function endsOf(promises: readonly number[], waitersOf: ReadonlyMap<number, Waiters>): Pick<Waiters, 'generators' | 'callbacks'> {
  const generators = new Set<number>();
  const callbacks = new Set<number>();
  const seen = new Set(promises);
  for (const promise of seen) {
    const waiters = waitersOf.get(promise);
    if (waiters === undefined) continue;
    for (const one of waiters.generators) generators.add(one);
    for (const one of waiters.callbacks) callbacks.add(one);
    for (const one of waiters.promises) seen.add(one);
  }
  return { generators: [...generators], callbacks: [...callbacks] };
}
