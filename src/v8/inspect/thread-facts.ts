import { RUNS_PROGRAM } from '../../base/runs-program.js';
import type { InspectorThread } from './inspector-thread.js';

/** The largest heap that is walked for an answer unless that is forced: bytes. */
export const MOST_HEAP = 512e6;

/** What a thread says of itself first. */
export interface AskedFacts {
  /** Bytes of its heap that are used. */
  readonly heap: number;
  /** Whether it is fentry's own. */
  readonly isOwn: boolean;
}

const FACTS = `${RUNS_PROGRAM} ? (() => {
  const v8 = process.getBuiltinModule?.('node:v8') ?? require('node:v8');
  return JSON.stringify({ heap: v8.getHeapStatistics().used_heap_size, isOwn: process[Symbol.for('fentry.control')] !== undefined });
})() : undefined`;

/** The facts of a thread; undefined while it is not past its start. */
export async function threadFacts(session: InspectorThread): Promise<AskedFacts | undefined> {
  const value = await session.value(FACTS, { includeCommandLineAPI: true });
  return typeof value === 'string' ? (JSON.parse(value) as AskedFacts) : undefined;
}
