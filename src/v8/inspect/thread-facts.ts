import { byteText } from '../../answers/byte-text.js';
import { HAS_STARTED } from './has-started.js';
import type { InspectorThread } from './inspector-thread.js';

/** The largest heap that is walked for an answer unless that is forced: bytes. */
export const MOST_HEAP = 512e6;
/** About so many bytes of heap are written as a snapshot in one millisecond. */
const BYTES_PER_MS = 25_000;
/** V8 and the inspector need about so many times the memory of a heap of small objects while they make a snapshot. */
const MEMORY_FACTOR = 14;
/** A heap of which a snapshot is taken however little memory is free: a control group counts cached files as used. */
const SMALL_HEAP = 20e6;

/** What a thread says of itself first. */
export interface AskedFacts {
  /** Bytes of its heap that are used. */
  readonly heap: number;
  /** Bytes that the process can still have, by the limits of its system and of its control group. Absent: Node does not tell. */
  readonly available?: number;
  /** Whether it is fentry's own. */
  readonly isOwn: boolean;
}

/** What snapshots are wanted for. */
interface SnapshotWish {
  readonly force: boolean;
  /** The file of the same answer that is forced. */
  readonly file: string;
  /** How many are to be taken. */
  readonly snapshots: number;
}

/** Why no snapshot is to be taken of a thread's heap, in words that follow "it"; undefined: it may be. */
export function snapshotRefusal({ heap, available }: AskedFacts, { force, file, snapshots }: SnapshotWish): string | undefined {
  if (force) return undefined;
  const [one, them] = snapshots === 1 ? ['a snapshot', 'it is'] : [`${snapshots} snapshots`, 'they are'];
  const anyway = `; with --force (${file}) ${them} taken`;
  const has = `has ${Math.round(heap / 1e6)} MB of heap, and ${one}`;
  if (heap > MOST_HEAP)
    return `${has} would stop it for about ${Math.ceil((snapshots * heap) / BYTES_PER_MS / 1000)} s or more${anyway}`;
  if (available === undefined || heap < SMALL_HEAP || MEMORY_FACTOR * heap <= available) return undefined;
  return `${has} may need ${byteText(MEMORY_FACTOR * heap)} of memory meanwhile, of which ${byteText(available)} are free${anyway}`;
}

const FACTS = `${HAS_STARTED} ? (() => {
  const v8 = process.getBuiltinModule?.('node:v8') ?? require('node:v8');
  return JSON.stringify({ heap: v8.getHeapStatistics().used_heap_size, available: process.availableMemory?.(), isOwn: process[Symbol.for('fentry.control')] !== undefined });
})() : undefined`;

/** The facts of a thread; undefined while it is not past its start. */
export async function threadFacts(session: InspectorThread): Promise<AskedFacts | undefined> {
  const value = await session.value(FACTS, { includeCommandLineAPI: true });
  return typeof value === 'string' ? (JSON.parse(value) as AskedFacts) : undefined;
}
