import type { HandlesAnswer, HandlesRequest } from '../../answers/handles/handles-answer.js';
import { workingFolder } from '../../base/working-folder.js';
import { collectHandles } from '../../v8/inspect/collect-handles.js';
import { Deadline } from '../attach/deadline.js';
import { askedFacts, askUnprepared } from './ask-unprepared.js';

/**
 * The answer `handles` of a process that runs without fentry.
 * @param patience milliseconds that it has to answer
 * @throws TraceError as `fentry attach` does
 */
export async function handlesUnprepared(pid: number, request: HandlesRequest, patience: number): Promise<HandlesAnswer> {
  const facts = askedFacts(pid);
  const threads = await askUnprepared(facts, new Deadline(patience), (session, over) =>
    collectHandles(session, { ...request, pid, over }),
  );
  return { answer: 'handles', version: 1, pid, application: workingFolder(pid), threads };
}
