import { GCProfiler } from 'node:v8';
import { size, string, u32, u64 } from '../../tracepoint/fields.js';
import { type Collection, collectionClock, observeCollections } from './collections.js';
import { nodeEventSystem } from './node-event-system.js';

/** One collection, with the heap before and after; 0 where V8 has not said. */
type GcArguments = [kind: number, flags: number, start: number, duration: number, before: number, after: number];

/** What V8 calls each kind of collection, and the word for it in a record. */
const KINDS = {
  Scavenge: { value: 1, shown: 'scavenge' },
  MinorMarkCompact: { value: 2, shown: 'minor-mark-sweep' },
  MarkSweepCompact: { value: 4, shown: 'mark-sweep-compact' },
  IncrementalMarking: { value: 8, shown: 'incremental-marking' },
  ProcessWeakCallbacks: { value: 16, shown: 'weak-callbacks' },
} as const;

/** `perf_hooks.constants.NODE_PERFORMANCE_GC_FLAGS_*`. */
const FLAGS = {
  2: 'construct-retained',
  4: 'forced',
  8: 'synchronous-phantom',
  16: 'all-available-garbage',
  32: 'all-external-memory',
  64: 'schedule-idle',
} as const;

const SHOWN: Readonly<Record<number, string>> = Object.fromEntries(
  Object.values(KINDS).map(({ value, shown }) => [value, shown]),
);
const flags = Object.entries(FLAGS).map(([value, shown]) => `{ ${value}UL, "${shown}" }`);

/** What GCProfiler says of one collection. */
interface ProfiledCollection {
  readonly gcType: string;
  readonly beforeGC: { readonly heapStatistics: { readonly usedHeapSize: number } };
  readonly afterGC: { readonly heapStatistics: { readonly usedHeapSize: number } };
}

/** Heap sizes of the collections, which a profiler of its own keeps until it is stopped: V8 reports them nowhere else. */
class HeapSizes {
  readonly #profiler = new GCProfiler();
  #pending: readonly ProfiledCollection[] = [];

  constructor() {
    this.#profiler.start();
  }

  /** Takes the numbers of the oldest collection of this kind that was not asked for yet. */
  take(kind: number): ProfiledCollection | undefined {
    if (this.#pending.length === 0) {
      this.#pending = this.end();
      this.#profiler.start();
    }
    const at = this.#pending.findIndex(({ gcType }) => KINDS[gcType as keyof typeof KINDS]?.value === kind);
    const found = this.#pending[at];
    // An older one of another kind has no entry of its own.
    this.#pending = this.#pending.slice(at + 1);
    return found;
  }

  end(): readonly ProfiledCollection[] {
    return (this.#profiler.stop() as { statistics?: readonly ProfiledCollection[] } | undefined)?.statistics ?? [];
  }
}

/**
 * Garbage collections. V8 tells of them only when they are over, and Node passes that on when the event loop turns: a record's
 * own time is later than the collection, and `start` is when it began, by the trace clock.
 */
export const gc = nodeEventSystem<{ gc: GcArguments }>('gc', {
  events: {
    gc: {
      args: ['kind', 'flags', 'start', 'duration', 'before', 'after'],
      fields: {
        // A text, so that histograms and filters have the names too.
        kind: string((kind) => SHOWN[kind] ?? `kind ${kind}`),
        type: u32((kind) => kind),
        flags: u32((_kind, flags) => flags),
        start: u64((_kind, _flags, start) => start),
        duration: u64((_kind, _flags, _start, duration) => duration),
        heap_before: size((_kind, _flags, _start, _duration, before) => before),
        heap_after: size((_kind, _flags, _start, _duration, _before, after) => after),
      },
      print:
        '"kind=%s flags=%s start=%llu.%06llu duration=%lluns heap_before=%zuB heap_after=%zuB", ' +
        '__get_str(kind), ' +
        `(REC->flags) ? __print_flags(REC->flags, "|", ${flags.join(', ')}) : "none", ` +
        'REC->start / 1000000000, (REC->start % 1000000000) / 1000, REC->duration, REC->heap_before, REC->heap_after',
    },
  },
  sources: [
    {
      events: ['gc'],
      start({ gc: collected }, { clock }) {
        const sizes = new HeapSizes();
        const began = collectionClock();
        const stop = observeCollections(({ startTime, duration, detail: { kind, flags } }: Collection) => {
          // Node may still have to tell of one from before.
          if (startTime < began) return;
          const start = clock() - (collectionClock() - startTime) * 1e6;
          const heap = sizes.take(kind);
          collected(
            kind,
            flags,
            Math.round(start),
            Math.round(duration * 1e6),
            heap?.beforeGC.heapStatistics.usedHeapSize ?? 0,
            heap?.afterGC.heapStatistics.usedHeapSize ?? 0,
          );
        });
        return () => {
          stop();
          sizes.end();
        };
      },
    },
  ],
});
