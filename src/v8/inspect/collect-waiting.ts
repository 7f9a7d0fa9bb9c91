import type { Waited, WaitingCall, WaitingRequest, WaitingThread } from '../../answers/waiting/waiting-answer.js';
import { mergedCalls } from '../../answers/waiting/waiting-trees.js';
import type { PromiseAges } from '../async/context-ages.js';
import { AuthorFrames } from './author-frames.js';
import { AuthorLines } from './author-lines.js';
import { AWAIT_PLACES, type AwaitPlaces } from './await-places.js';
import type { ThreadAsking } from './each-thread.js';
import { EDGE, type HeapGraph, NODE, scriptOf } from './heap-graph.js';
import type { InspectorData, InspectorThread } from './inspector-thread.js';
import { askProgram } from './program-threads.js';
import type { RemoteValue } from './remote-text.js';
import { type HeapCall, suspendedCalls } from './suspended-calls.js';
import { readSuspended } from './suspended-variables.js';
import { listenToSnapshot } from './take-snapshot.js';
import { snapshotRefusal } from './thread-facts.js';

/** Elements that are looked at one by one, at the price of a walk of the heap: for an unknown place, and for variables. */
const MOST_LOOKED = 5;
const GROUP = 'fentry.waiting';

/** The source of a function that tells PromiseAges of the list of promises `this`, as JSON, or undefined. */
const AGES = `function () {
  const ages = process[Symbol.for('fentry.agent')]?.agesOf(this);
  return ages && JSON.stringify(ages);
}`;

const VM = `process.getBuiltinModule?.('node:vm') ?? require('node:vm')`;

/** A snapshot, and what belongs to it. */
interface TakenHeap {
  readonly graph: HeapGraph;
  readonly places: AwaitPlaces | undefined;
  /** Undefined if async contexts are not followed. */
  readonly ages: PromiseAges | undefined;
  /** The node of the list of promises that `places` and `ages` have indexes of; -1: there is none. */
  readonly list: number;
  readonly stoppedMs: number;
}

const NOTHING = { stoppedMs: 0, heapBytes: 0, suspended: 0, calls: [] } as const;

/** The suspended calls of each thread, as V8's heap has them. */
export async function collectWaiting(
  main: InspectorThread,
  asking: ThreadAsking & WaitingRequest,
): Promise<readonly WaitingThread[]> {
  const frames = new AuthorFrames();
  return askProgram<WaitingThread>(main, asking, NOTHING, async (asked) => {
    const { thread, name, session, heap, inTime } = asked;
    const known = { thread, name, stoppedMs: 0, heapBytes: heap, suspended: 0, calls: [] };
    const refused = snapshotRefusal(asked, { force: asking.force, file: 'answers/waiting_forced', snapshots: 1 });
    if (refused !== undefined) return { ...known, silence: refused };
    try {
      const taken = await inTime(takeHeap(session));
      if (taken === undefined) return { ...known, silence: 'did not finish the snapshot of its heap' };
      const answer = await inTime(callsOf(taken, { session, frames, locals: asking.locals }));
      return answer === undefined ? { ...known, silence: 'did not answer any more' } : { ...known, ...answer };
    } catch (error) {
      return { ...known, silence: `gives no snapshot of its heap: ${error instanceof Error ? error.message : String(error)}` };
    } finally {
      // V8 forgets the numbers of objects with it.
      void session.ask('HeapProfiler.disable').catch(() => {});
      void session.ask('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => {});
    }
  });
}

const evaluated = (expression: string, returnByValue: boolean): InspectorData => ({
  expression,
  includeCommandLineAPI: true,
  returnByValue,
  silent: true,
  objectGroup: GROUP,
});

const remote = (answer: InspectorData | undefined, name = 'result'): RemoteValue | undefined =>
  answer?.[name] as RemoteValue | undefined;

/** The value of an answer that is JSON. */
function parsed<T>(answer: InspectorData | undefined): T | undefined {
  const text = remote(answer)?.value;
  return typeof text === 'string' ? (JSON.parse(text) as T) : undefined;
}

/**
 * Takes a snapshot of a thread's heap, and the places of awaits just before. A promise that the program settles or makes in
 * between has none.
 */
async function takeHeap(session: InspectorThread): Promise<TakenHeap> {
  const read = listenToSnapshot(session);
  const evaluate = (text: string): Promise<InspectorData | undefined> => session.ask('Runtime.evaluate', evaluated(text, false));
  const now = async (): Promise<number> =>
    Number(remote(await evaluate('Number(process.hrtime.bigint() / 1000n) / 1000'))?.value);
  await session.ask('HeapProfiler.enable');
  const [began, vm, prototype] = await Promise.all([now(), evaluate(VM), evaluate('Promise.prototype')]);
  const listed = await session.ask('Runtime.queryObjects', {
    prototypeObjectId: remote(prototype)?.objectId,
    objectGroup: GROUP,
  });
  const objectId = remote(listed, 'objects')?.objectId;
  const [ages, places] = await Promise.all([
    session
      .ask('Runtime.callFunctionOn', { objectId, functionDeclaration: AGES, returnByValue: true, silent: true })
      .catch(() => undefined),
    session
      .ask('Runtime.callFunctionOn', {
        objectId,
        functionDeclaration: AWAIT_PLACES,
        arguments: [{ objectId: remote(vm)?.objectId }],
        returnByValue: true,
        silent: true,
      })
      .catch(() => undefined),
    session.ask('HeapProfiler.takeHeapSnapshot', { reportProgress: false }),
  ]);
  const ended = await now();
  // An object has a number from the first snapshot on. V8 14 takes that after it has answered what was asked later.
  const heapId = await session.ask('HeapProfiler.getHeapObjectId', { objectId }).catch(() => undefined);
  const graph = read();
  return {
    graph,
    places: parsed<AwaitPlaces>(places),
    ages: parsed<PromiseAges>(ages),
    list: graph.withId(Number(heapId?.['heapSnapshotObjectId'])),
    stoppedMs: ended - began,
  };
}

/** Where a call waits, in the text as loaded: from 1. */
interface RawPlace {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** The place of the await of each promise that one call awaits. */
function placesOf({ graph, places, list }: TakenHeap): ReadonlyMap<number, RawPlace> {
  const found = new Map<number, RawPlace>();
  if (places === undefined || list < 0) return found;
  const byIndex = new Map(places.places.map((place) => [place[0], place]));
  graph.forEdges(list, (target, kind, index) => {
    const place = kind === EDGE.ELEMENT ? byIndex.get(index) : undefined;
    if (place !== undefined) found.set(target, { url: places.urls[place[1]] ?? '', line: place[2], column: place[3] });
  });
  return found;
}

/** How long ago each promise was made, in milliseconds, as far as it is known. */
function agesOf({ graph, ages, list }: TakenHeap): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  if (ages === undefined || list < 0) return found;
  const byIndex = new Map(ages.ages);
  graph.forEdges(list, (target, kind, index) => {
    const age = kind === EDGE.ELEMENT ? byIndex.get(index) : undefined;
    if (age !== undefined) found.set(target, age);
  });
  return found;
}

/** Since when some calls wait; undefined: it is known of none. */
function waitedOf(calls: readonly HeapCall[], ages: ReadonlyMap<number, number>): Waited | undefined {
  let [count, leastMs, mostMs] = [0, Number.POSITIVE_INFINITY, 0];
  for (const { suspension } of ages.size === 0 ? [] : calls) {
    const age = ages.get(suspension);
    if (age === undefined) continue;
    count++;
    leastMs = Math.min(leastMs, age);
    mostMs = Math.max(mostMs, age);
  }
  return count === 0 ? undefined : { count, leastMs, mostMs };
}

/** `Pool.acquire` for a method of an object that a class has made. */
function nameOf(graph: HeapGraph, { closure, receiver }: HeapCall): string {
  const name = graph.nameOf(closure);
  if (name === '' || receiver < 0) return name;
  const type = graph.typeOf(receiver);
  const owner = type === NODE.OBJECT || type === NODE.CLOSURE ? graph.nameOf(receiver) : '';
  return owner === '' || owner === 'Object' || /[\s/]/.test(owner) ? name : `${owner}.${name}`;
}

interface CallsNeeds {
  readonly session: InspectorThread;
  readonly frames: AuthorFrames;
  readonly locals: boolean;
}

/** The answer of a thread, from a snapshot of its heap. */
async function callsOf(
  taken: TakenHeap,
  { session, frames, locals }: CallsNeeds,
): Promise<Pick<WaitingThread, 'stoppedMs' | 'followedMs' | 'suspended' | 'calls' | 'isCut'>> {
  const { graph, stoppedMs } = taken;
  const places = placesOf(taken);
  const ages = agesOf(taken);
  const calls = suspendedCalls(graph);
  const scripts = calls.map(({ closure }) => scriptOf(graph, closure));
  const names = calls.map((call) => nameOf(graph, call));
  const waits = calls.map(({ awaited }, i) => {
    const place = places.get(awaited);
    return place !== undefined && (place.url === scripts[i] || scripts[i] === '') ? place : undefined;
  });
  const { merged, isCut } = mergedCalls(
    calls.map(({ kind, closure, waiters }, i) => ({
      key: [kind, names[i], graph.internal(closure, 'shared'), waits[i]?.line, waits[i]?.column].join(' '),
      waiters,
    })),
  );
  const lines = new AuthorLines();
  let looked = 0;
  const elements: WaitingCall[] = [];
  for (const { members, waitsFor, repeated, isCircle } of merged) {
    const first = members[0]!;
    const { kind, closure, node } = calls[first]!;
    const url = scripts[first]!;
    const location = graph.locationOf(closure);
    const frame = frames.frame({
      name: names[first]!,
      url: url === '' ? (waits[first]?.url ?? '') : url,
      line: (location?.line ?? -1) + 1,
      column: (location?.column ?? -1) + 1,
      isAsync: true,
    });
    let place = waits[first];
    const isLooked = kind === 'call' && frame.isOwn && (locals || place === undefined) && looked < MOST_LOOKED;
    if (isLooked) looked++;
    const seen = isLooked ? await readSuspended(session, graph.idOf(node), locals) : undefined;
    place ??= seen?.at && { ...seen.at, url };
    const awaits = place && frames.place(place.url, place.line, place.column);
    const source = awaits && lines.at(awaits);
    const waited = waitedOf(
      members.map((member) => calls[member]!),
      ages,
    );
    elements.push({
      ...frame,
      kind,
      count: members.length,
      ...(waitsFor !== undefined && { waitsFor }),
      ...(awaits && { awaits }),
      ...(waits[first] === undefined && awaits && members.length > 1 && { isOneOf: true }),
      ...(source !== undefined && { source }),
      ...(waited && { waited }),
      ...(repeated > 0 && { repeated }),
      ...(isCircle && { isCircle }),
      ...(locals && seen !== undefined && { variables: seen.variables }),
    });
  }
  const suspended = calls.filter(({ kind }) => kind === 'call').length;
  const { followedMs } = taken.ages ?? {};
  return { stoppedMs, ...(followedMs !== undefined && { followedMs }), suspended, calls: elements, ...(isCut && { isCut }) };
}
