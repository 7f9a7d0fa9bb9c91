import type { WaitingAnswer, WaitingRequest } from '../../answers/waiting/waiting-answer.js';
import { workingFolder } from '../../base/working-folder.js';
import { collectWaiting } from '../../v8/inspect/collect-waiting.js';
import { Deadline } from '../attach/deadline.js';
import { askedFacts, askUnprepared } from './ask-unprepared.js';

/**
 * The answer `waiting` of a process that runs without fentry.
 * @param patience milliseconds that it has to answer
 * @throws TraceError as `fentry attach` does
 */
export async function waitingUnprepared(pid: number, request: WaitingRequest, patience: number): Promise<WaitingAnswer> {
  const facts = askedFacts(pid);
  const threads = await askUnprepared(facts, new Deadline(patience), (session, over) =>
    collectWaiting(session, { ...request, pid, over }),
  );
  return { answer: 'waiting', version: 1, pid, application: workingFolder(pid), threads };
}
