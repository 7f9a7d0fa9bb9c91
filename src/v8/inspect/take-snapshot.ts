import type { HeapGraph } from './heap-graph.js';
import type { InspectorThread } from './inspector-thread.js';
import { type SnapshotParts, SnapshotReader } from './snapshot-reader.js';

/**
 * Reads the snapshot of its heap that a thread is asked for next, as it comes.
 * @returns the heap, when it has come, and listens no more. @throws Error if it was not whole
 */
export function listenToSnapshot(session: InspectorThread, parts?: SnapshotParts): () => HeapGraph {
  const reader = new SnapshotReader(parts);
  let failed: unknown;
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    try {
      if (failed === undefined) reader.write(String(chunk));
    } catch (error) {
      failed = error;
    }
  });
  return () => {
    session.on('HeapProfiler.addHeapSnapshotChunk', undefined);
    if (failed !== undefined) throw failed;
    return reader.end();
  };
}
