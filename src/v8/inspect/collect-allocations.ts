import type { AllocatingThread, AllocationsRequest } from '../../answers/allocations/allocations-answer.js';
import { type MemoryUse, NO_MEMORY } from '../../answers/memory-use.js';
import { AllocationProfile, type ProfileNode, type Window } from './allocation-profile.js';
import { AuthorFrames } from './author-frames.js';
import { type AskedThread, eachThread, silenceOf, type ThreadAsking } from './each-thread.js';
import type { InspectorData, InspectorThread } from './inspector-thread.js';
import { waited } from './waited.js';

/** Which threads are sampled, and for how long. */
export interface AllocationsAsking extends ThreadAsking, AllocationsRequest {}

/** The most seconds in which all that is allocated is counted: V8 keeps each sample until the end. */
const MOST_ALLOCATED_SECONDS = 10;

/**
 * How V8 samples in each window: about once in so many bytes. With what is collected V8 keeps each sample until the end, so they
 * are fewer.
 */
const SAMPLING: Readonly<Record<Window, InspectorData>> = {
  allocated: {
    samplingInterval: 131_072,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  },
  kept: { samplingInterval: 32_768 },
};

/**
 * The memory of a thread, as JSON; `own`: the thread is fentry's; undefined: it has not started. It loads nothing, so that a
 * thread may be asked wherever it is.
 */
const MEMORY = `process[Symbol.for('fentry.control')] === undefined ? JSON.stringify(process.memoryUsage()) : 'own'`;
/** What is said of a thread that does not answer at the end of a window. */
const ENDED = 'has ended meanwhile, or does not answer any more';
const BUSY = 'is sampled already: by its own --heap-prof, or by another tool';

/** A thread whose allocations are sampled, or why they are not. */
type Begun =
  | { readonly before: MemoryUse; readonly since: number; readonly began: number }
  | { readonly silence: string }
  | 'own';

/**
 * What each thread allocates: V8's sampling heap profiler runs in all at the same time. First all that is allocated is counted,
 * then what of the memory that is allocated then lives on. The sampling ends with the sessions, whatever happens.
 */
export async function collectAllocations(main: InspectorThread, asking: AllocationsAsking): Promise<readonly AllocatingThread[]> {
  const frames = new AuthorFrames();
  const threads = await eachThread(main, asking, ({ session }) => inTime(begin(session), asking.over));
  const first = Math.min(MOST_ALLOCATED_SECONDS, asking.seconds / 2);
  const work = [...threads].map(async ([asked, begun]): Promise<readonly AllocatingThread[]> => {
    const known = { thread: asked.thread, name: asked.name };
    if (begun === 'own') return [];
    if (begun === undefined) return [{ ...NOTHING, ...known, silence: silenceOf(asked, asking.pid) }];
    if ('silence' in begun) return [{ ...NOTHING, ...known, ...begun }];
    const sampled = await sample(asked, { ...begun, first, asking, frames });
    return [sampled === undefined ? { ...NOTHING, ...known, silence: ENDED } : { ...known, ...sampled }];
  });
  return (await Promise.all(work)).flat();
}

const NOTHING = {
  allocatedSeconds: 0,
  keptSeconds: 0,
  stoppedMs: 0,
  before: NO_MEMORY,
  after: NO_MEMORY,
  functions: [],
  stacks: [],
} as const;

/** What work results in, if it is done before it is over. */
const inTime = <T>(work: Promise<T | undefined>, over: Promise<void>): Promise<T | undefined> =>
  Promise.race([work.catch(() => undefined), over.then(() => undefined)]);

/** Begins to count all that a thread allocates. */
async function begin(session: InspectorThread): Promise<Begun | undefined> {
  const before = await memoryOf(session);
  if (before === undefined) return undefined;
  if (before === 'own') return 'own';
  const isSampled = await session.ask('HeapProfiler.getSamplingProfile').then(
    () => true,
    () => false,
  );
  if (isSampled) return { silence: BUSY };
  const [began] = await Promise.all([clockOf(session), session.ask('HeapProfiler.startSampling', SAMPLING.allocated)]);
  return { before, since: performance.now(), began };
}

interface Sampling {
  readonly before: MemoryUse;
  /** When it began, by the own clock and by the thread's, in milliseconds. */
  readonly since: number;
  readonly began: number;
  /** Seconds of the first window. */
  readonly first: number;
  readonly asking: AllocationsAsking;
  readonly frames: AuthorFrames;
}

/** Waits for the ends of both windows. */
async function sample(
  { thread, session }: AskedThread,
  { before, since, began, first, asking, frames }: Sampling,
): Promise<Omit<AllocatingThread, 'thread' | 'name'> | undefined> {
  const profile = new AllocationProfile(frames);
  /** Asks a thread that may end: only while it is taken. */
  const ask = async <T>(question: () => Promise<T | undefined>): Promise<T | undefined> => {
    if (thread !== 0 && asking.mayAsk?.(thread) === false) return undefined;
    try {
      return await inTime(question(), asking.over);
    } finally {
      asking.done?.(thread);
    }
  };
  await waited(since + first * 1000, asking.over);
  const allocated = await ask(() => endWindow(session, true));
  if (allocated === undefined) return undefined;
  await waited(since + asking.seconds * 1000, asking.over);
  const kept = await ask(() => endWindow(session, false));
  if (kept === undefined) return undefined;
  const memory = await ask(() => memoryOf(session));
  profile.add('allocated', allocated.head);
  profile.add('kept', kept.head);
  return {
    allocatedSeconds: (allocated.stop - began) / 1000,
    keptSeconds: (kept.stop - allocated.end) / 1000,
    stoppedMs: allocated.stoppedMs + kept.stoppedMs,
    before,
    after: typeof memory === 'object' ? memory : NO_MEMORY,
    ...profile.result(),
  };
}

/** A window that has ended: its times are milliseconds of the thread's clock. */
interface EndedWindow {
  readonly head: ProfileNode;
  /** The end of the window: then V8 collects the garbage, and makes the profile. */
  readonly stop: number;
  readonly end: number;
  readonly stoppedMs: number;
}

/** The profile of a window that ends. Another one begins at once, if there is one. */
async function endWindow(session: InspectorThread, goesOn: boolean): Promise<EndedWindow | undefined> {
  // All are sent at once: the thread does nothing in between.
  const [stop, stopped, end] = await Promise.all([
    clockOf(session),
    session.ask('HeapProfiler.stopSampling'),
    clockOf(session),
    goesOn ? session.ask('HeapProfiler.startSampling', SAMPLING.kept) : undefined,
  ]);
  const profile = stopped?.['profile'] as { readonly head: ProfileNode } | undefined;
  return profile && { head: profile.head, stop, end, stoppedMs: end - stop };
}

/** Milliseconds of a clock of the thread's. */
const CLOCK = 'Number(process.hrtime.bigint() / 1000n) / 1000';

const clockOf = (session: InspectorThread): Promise<number> => session.value(CLOCK).then(Number);

async function memoryOf(session: InspectorThread): Promise<MemoryUse | 'own' | undefined> {
  const text = await session.value(MEMORY);
  if (typeof text !== 'string') return undefined;
  return text === 'own' ? text : (JSON.parse(text) as MemoryUse);
}
