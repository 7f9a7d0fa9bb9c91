import { readlinkSync } from 'node:fs';
import type { BtAnswer, BtRequest } from '../../answers/bt/bt-answer.js';
import { attempt } from '../../base/attempt.js';
import { collectBt } from '../../v8/inspect/collect-bt.js';
import { Deadline } from '../attach/deadline.js';
import { askedFacts, askUnprepared } from './ask-unprepared.js';

/** Milliseconds that a process has to answer. */
const PATIENCE = 10_000;

/** The answer `bt` of a process that runs without fentry. @throws TraceError as `fentry attach` does */
export async function btUnprepared(pid: number, request: BtRequest): Promise<BtAnswer> {
  const facts = askedFacts(pid);
  const threads = await askUnprepared(facts, new Deadline(PATIENCE), (session, over) =>
    collectBt(session, { ...request, pid, over }),
  );
  return { answer: 'bt', version: 1, pid, application: attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? '', threads };
}
