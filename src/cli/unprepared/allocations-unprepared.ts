import type { AllocationsAnswer, AllocationsRequest } from '../../answers/allocations/allocations-answer.js';
import { workingFolder } from '../../base/working-folder.js';
import { collectAllocations } from '../../v8/inspect/collect-allocations.js';
import { Deadline } from '../attach/deadline.js';
import { askedFacts, askUnprepared } from './ask-unprepared.js';
import { untilInterrupted } from './until-interrupted.js';

/** Milliseconds that a process has to answer, besides the time that it is sampled. */
const PATIENCE = 30_000;

/** The answer `allocations` of a process that runs without fentry. @throws TraceError as `fentry attach` does */
export async function allocationsUnprepared(pid: number, request: AllocationsRequest): Promise<AllocationsAnswer> {
  const facts = askedFacts(pid);
  const deadline = new Deadline(request.seconds * 1000 + PATIENCE);
  const interrupted = untilInterrupted();
  const threads = await askUnprepared(facts, deadline, (session, over) =>
    Promise.race([collectAllocations(session, { ...request, pid, over }), interrupted]),
  );
  return { answer: 'allocations', version: 1, pid, application: workingFolder(pid), threads };
}
