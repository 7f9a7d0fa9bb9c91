import type { Session } from 'node:inspector';
import { createRequire } from 'node:module';
import { clearTimeout_ as clearTimeout, setInterval_ as setInterval, setTimeout_ as setTimeout } from '../../base/primordials.js';
import { SafeMap } from '../realm/primordials.js';
import { placeWords } from '../realm/site-place.js';
import { undoAll } from '../realm/undo.js';
import type { SourceThread } from './node-event-system.js';

/** V8 takes a sample about once in so many bytes. */
const INTERVAL = 524_288;
/** Milliseconds between readings at least. */
const PERIOD = 1000;
/** A reading stops the thread for a collection of garbage: for at most one part in so many of the time. */
const SHARE = 100;
/** The script of functions that are no script's. */
const BUILT_IN = '0';

/** A node of V8's profile: a function as others have called it. Its place is where it begins, from 0. */
interface SampledFunction {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    /** '0' for what is built in. */
    readonly scriptId: string;
    /** '' if the text has gone since: the collection that comes with a profile takes it. */
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly children: readonly SampledFunction[];
}

interface SampledHeap {
  readonly head: SampledFunction;
  readonly samples: readonly { readonly nodeId: number; readonly size: number; readonly ordinal: number }[];
}

/** Records a sample: the function that allocated and where it begins, the bytes that the sample stands for, and its number. */
export type RecordSample = (name: string, at: string, bytes: number, ordinal: number) => void;

/** What samples are counted for. */
interface Site {
  readonly name: string;
  readonly at: string;
}

/**
 * Has V8 sample what the thread allocates, and records the samples of each period when it is over, in the order in which they
 * were taken. V8 gives them only with a collection of the whole heap's garbage: the longer that takes, the longer are the
 * periods. What is built in counts for its caller; fentry's own allocations are left out.
 */
export function sampleHeap(record: RecordSample, { texts, contexts, clock, watchProcess, missed }: SourceThread): () => void {
  let session: Session | undefined;
  let isSampling = false;
  /** When the next reading may be, by the clock of the thread. */
  let due = 0;
  /** Samples of earlier periods: V8 begins to count anew. */
  let earlier = 0;

  /** The thread asks itself: `answered` is called before this returns. */
  const ask = (method: string, params?: object): unknown => {
    let result: unknown;
    session!.post(method, params, (error: Error | null, answer?: unknown) => {
      if (error === null) result = answer;
    });
    return result;
  };
  const begin = (): boolean =>
    ask('HeapProfiler.startSampling', {
      samplingInterval: INTERVAL,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    }) !== undefined;

  const siteOf = ({ callFrame: { functionName, url, lineNumber, columnNumber } }: SampledFunction): Site => {
    if (url === '') return { name: functionName || '<anonymous>', at: '' };
    const line = lineNumber + 1;
    const column = columnNumber + 1;
    return {
      name: functionName || '<anonymous>',
      at: placeWords(url, line, texts.get(url)?.originalColumn(line, column) ?? column),
    };
  };

  const recordAll = ({ head, samples }: SampledHeap): void => {
    const sites = sitesOf(head, siteOf, (url) => texts.isOwn(url));
    const ordered: (SampledHeap['samples'][number] | undefined)[] = [];
    for (let i = 0; i < samples.length; i++) ordered[samples[i]!.ordinal] = samples[i]!;
    for (let i = 0; i < ordered.length; i++) {
      const sample = ordered[i];
      const site = sample && sites.get(sample.nodeId);
      if (site !== undefined) record(site.name, site.at, sample!.size, earlier + i);
    }
    // They are counted from 1.
    if (ordered.length > 0) earlier += ordered.length - 1;
  };

  /** Ends a period. Another one begins, unless the thread ends. */
  const read = (goesOn: boolean): void => {
    const before = clock();
    const answer = ask('HeapProfiler.stopSampling') as { readonly profile: SampledHeap } | undefined;
    if (answer !== undefined) recordAll(answer.profile);
    isSampling = goesOn && begin();
    due = before + SHARE * (clock() - before);
  };

  const start = (): void => {
    const { Session } = createRequire(import.meta.url)('node:inspector') as typeof import('node:inspector');
    session = new Session();
    session.connect();
    // Somebody else samples: V8 has one profiler for a thread.
    isSampling = ask('HeapProfiler.getSamplingProfile') === undefined && begin();
    if (!isSampling) missed();
  };

  // Both timers are made now: an async hook of the program sees each that is made while it is on.
  const timers = contexts.hidden(() => [
    // Not in the middle of the program's call that an inspector may have interrupted.
    setTimeout(start, 0).unref(),
    setInterval(() => isSampling && clock() >= due && read(true), PERIOD).unref(),
  ]);

  return undoAll([
    // Recordings end behind the program's own listeners.
    watchProcess({ before: (name) => name === 'exit' && isSampling && read(false) }),
    () => {
      for (let i = 0; i < timers.length; i++) clearTimeout(timers[i]);
      session?.disconnect();
    },
  ]);
}

/** The site of each node of a profile: its function, or, if that is built in, the nearest caller that is not. */
function sitesOf(
  head: SampledFunction,
  siteOf: (node: SampledFunction) => Site,
  isOwn: (url: string) => boolean,
): ReadonlyMap<number, Site | undefined> {
  const sites = new SafeMap<number, Site | undefined>();
  const nodes = [head];
  const callers: (Site | undefined)[] = [undefined];
  for (let at = 0; at < nodes.length; at++) {
    const { id, callFrame, children } = nodes[at]!;
    const { url, scriptId } = callFrame;
    const site = scriptId === BUILT_IN ? callers[at] : isOwn(url) ? undefined : siteOf(nodes[at]!);
    sites.set(id, site);
    for (let i = 0; i < children.length; i++) {
      callers[nodes.length] = site;
      nodes[nodes.length] = children[i]!;
    }
  }
  return sites;
}
