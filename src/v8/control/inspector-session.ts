import type { Session } from 'node:inspector';
import { type InspectorData, InspectorThread } from '../inspect/inspector-thread.js';
import type { ThreadHolds } from '../inspect/thread-holds.js';

/** A session of Node's with the main thread as an InspectorThread: it numbers messages by itself. */
export function inspectorThread(session: Session, holds: ThreadHolds): InspectorThread {
  const thread = new InspectorThread((message) => {
    const { id, method, params } = JSON.parse(message) as { id: number; method: string; params: object };
    session.post(method, params, (error, result) => {
      thread.received(JSON.stringify(error === null ? { id, result } : { id, error: { message: error.message } }));
    });
  }, holds);
  session.on('inspectorNotification', ({ method, params }: { method: string; params: InspectorData }) =>
    thread.told(method, params),
  );
  return thread;
}
