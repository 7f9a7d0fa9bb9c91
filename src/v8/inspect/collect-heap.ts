import type { HeapRequest, HeapThread } from '../../answers/heap/heap-answer.js';
import { type MemoryUse, NO_MEMORY } from '../../answers/memory-use.js';
import { AuthorFrames } from './author-frames.js';
import type { ThreadAsking } from './each-thread.js';
import { HeapCensus } from './heap/heap-census.js';
import { heapResult } from './heap/heap-result.js';
import type { HeapGraph } from './heap-graph.js';
import type { InspectorThread } from './inspector-thread.js';
import { type AskedProgramThread, askProgram } from './program-threads.js';
import { RETAINERS } from './snapshot-reader.js';
import { listenToSnapshot } from './take-snapshot.js';
import { snapshotRefusal } from './thread-facts.js';
import { waited } from './waited.js';

/** Which heaps are looked at, and when. */
export interface HeapAsking extends ThreadAsking, HeapRequest {}

const NO_COUNT = { count: 0, bytes: 0 } as const;
const NO_COUNTS = { before: NO_COUNT, after: NO_COUNT } as const;
const NOTHING: Omit<HeapThread, 'thread' | 'name'> = {
  seconds: 0,
  stoppedMs: [0, 0],
  memory: [NO_MEMORY, NO_MEMORY],
  all: NO_COUNTS,
  constructors: [],
  others: { ...NO_COUNTS, constructors: 0 },
  holders: [],
};

const ENDED = 'has ended meanwhile, or does not answer any more';
const UNFINISHED = 'did not finish the snapshot of its heap';

/** A thread at the first point. */
interface FirstPoint {
  readonly asked: AskedProgramThread;
  readonly census: HeapCensus;
  /** When it was, in milliseconds of the thread's clock. */
  readonly at: number;
  readonly stoppedMs: number;
  readonly memory: MemoryUse;
}

/** Compares the heap of each thread at two points. Each thread stands still for a snapshot at each of them. */
export async function collectHeap(main: InspectorThread, asking: HeapAsking): Promise<readonly HeapThread[]> {
  const frames = new AuthorFrames();
  const begun: FirstPoint[] = [];
  const began = performance.now();
  const threads = await askProgram<HeapThread>(main, asking, NOTHING, async (asked) => {
    const known = { ...NOTHING, thread: asked.thread, name: asked.name };
    const silence = snapshotRefusal(asked, { force: asking.force, file: 'answers/heap_seconds/N_forced', snapshots: 2 });
    if (silence !== undefined) return { ...known, silence };
    const first = await asked.inTime(firstPoint(asked)).catch(refused);
    if (typeof first === 'object') begun.push(first);
    return { ...known, silence: typeof first === 'string' ? first : UNFINISHED };
  });
  await waited(began + asking.seconds * 1000, asking.over);
  const ends = new Map<number, Partial<HeapThread> | string>();
  for (const first of begun) {
    const { thread } = first.asked;
    if (thread !== 0 && asking.mayAsk?.(thread) === false) {
      ends.set(thread, ENDED);
      continue;
    }
    const end = await first.asked.inTime(secondPoint(first, frames)).catch(refused);
    asking.done?.(thread);
    ends.set(thread, end ?? ENDED);
  }
  return threads.map((thread): HeapThread => {
    const end = ends.get(thread.thread);
    if (typeof end === 'string') return { ...thread, silence: end };
    const { silence: _unanswered, ...known } = thread;
    return end === undefined ? thread : { ...known, ...end };
  });
}

/** Why there is no answer, in words that follow "it". */
const refused = (error: unknown): string =>
  `gives no snapshot of its heap: ${error instanceof Error ? error.message : String(error)}`;

async function firstPoint(asked: AskedProgramThread): Promise<FirstPoint> {
  const census = new HeapCensus();
  const memory = await memoryOf(asked.session);
  const { graph, ...stop } = await snapshot(asked.session);
  census.add(graph, 0);
  return { asked, census, memory, ...stop };
}

async function secondPoint(
  { asked, census, at, stoppedMs, memory }: FirstPoint,
  frames: AuthorFrames,
): Promise<Partial<HeapThread>> {
  const { graph, ...second } = await snapshot(asked.session);
  const after = await memoryOf(asked.session);
  census.add(graph, 1);
  return {
    seconds: (second.at - at) / 1000,
    stoppedMs: [stoppedMs, second.stoppedMs],
    memory: [memory, after],
    ...heapResult(census, frames),
  };
}

/** A moment in which a thread has stood still. */
interface Stop {
  /** When it began, in milliseconds of the thread's clock. */
  readonly at: number;
  readonly stoppedMs: number;
}

async function snapshot(session: InspectorThread): Promise<Stop & { readonly graph: HeapGraph }> {
  const read = listenToSnapshot(session, RETAINERS);
  try {
    await session.ask('HeapProfiler.enable');
    const [at] = await Promise.all([clockOf(session), session.ask('HeapProfiler.takeHeapSnapshot', { reportProgress: false })]);
    const stoppedMs = (await clockOf(session)) - at;
    return { graph: read(), at, stoppedMs };
  } finally {
    // V8 forgets the numbers of objects with it, and need not follow those that move.
    void session.ask('HeapProfiler.disable').catch(() => {});
  }
}

/** Milliseconds of a clock of the thread's. */
const clockOf = (session: InspectorThread): Promise<number> =>
  session.value('Number(process.hrtime.bigint() / 1000n) / 1000').then(Number);

async function memoryOf(session: InspectorThread): Promise<MemoryUse> {
  const text = await session.value('JSON.stringify(process.memoryUsage())');
  return typeof text === 'string' ? (JSON.parse(text) as MemoryUse) : NO_MEMORY;
}
