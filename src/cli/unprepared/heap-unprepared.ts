import type { HeapAnswer, HeapRequest } from '../../answers/heap/heap-answer.js';
import { workingFolder } from '../../base/working-folder.js';
import { collectHeap } from '../../v8/inspect/collect-heap.js';
import { Deadline } from '../attach/deadline.js';
import { askedFacts, askUnprepared } from './ask-unprepared.js';
import { untilInterrupted } from './until-interrupted.js';

/** Milliseconds that a process has for its snapshots, besides the time between them. */
const PATIENCE = 300_000;

/** The answer `heap` of a process that runs without fentry. @throws TraceError as `fentry attach` does */
export async function heapUnprepared(pid: number, request: HeapRequest): Promise<HeapAnswer> {
  const facts = askedFacts(pid);
  const interrupted = untilInterrupted();
  const threads = await askUnprepared(facts, new Deadline(request.seconds * 1000 + PATIENCE), (session, over) =>
    Promise.race([collectHeap(session, { ...request, pid, over }), interrupted]),
  );
  return { answer: 'heap', version: 1, pid, application: workingFolder(pid), threads };
}
