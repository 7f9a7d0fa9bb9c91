import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BtAnswer, BtRequest, BtThread } from '../../answers/bt/bt-answer.js';
import { blockedMain } from '../../base/blocked-thread.js';
import { workingFolder } from '../../base/working-folder.js';
import { askStacks } from '../../native/unwind/ask-stacks.js';
import { nativeBt } from '../../native/unwind/native-bt.js';
import type { StackLook } from '../../port/inspect.js';
import { withStacks } from '../../port/joined-inspect.js';
import { blockedThread } from '../../v8/inspect/blocked-thread.js';
import { collectBt } from '../../v8/inspect/collect-bt.js';
import type { InspectorThread } from '../../v8/inspect/inspector-thread.js';
import { Deadline } from '../attach/deadline.js';
import { processFacts } from '../attach/process-facts.js';
import { askedFacts, askUnprepared } from './ask-unprepared.js';

/** How often, and at which interval in milliseconds, a main thread must be found blocked. */
const LOOKS = 5;
const LOOK = 20;

const UNASKED = 'Its workers, if it has any, cannot be asked while its main thread does not answer.';

/** What of the stacks is wanted. */
export interface UnpreparedRequest extends BtRequest {
  /** Whether the machine code on them is. Absent: it is not. */
  readonly native?: boolean;
}

/** Begins a look at the machine code on the stacks of a process. */
export const lookAtStacks = (pid: number): StackLook =>
  askStacks(fileURLToPath(new URL('native-stacks.cjs', import.meta.url)), pid);

/**
 * The answer `bt` of a process that runs without fentry: if it does not run Node, the machine code on its stacks.
 * @param milliseconds the time that it has to open its inspector and to answer
 * @throws TraceError as `fentry attach` does
 */
export async function btUnprepared(pid: number, request: UnpreparedRequest, milliseconds: number): Promise<BtAnswer> {
  const { executable = '', node } = processFacts(pid, process.execPath) ?? {};
  const isNative = executable !== '' && node === undefined;
  if (isNative) return nativeBt(pid, lookAtStacks(pid));
  const ask = (): Promise<BtAnswer> => scriptBt(pid, request, milliseconds);
  return request.native ? withStacks(() => lookAtStacks(pid), [], ask) : ask();
}

async function scriptBt(pid: number, request: BtRequest, milliseconds: number): Promise<BtAnswer> {
  const facts = askedFacts(pid);
  const application = workingFolder(pid);
  const head = { answer: 'bt', version: 1, pid, application } as const;
  // It would open its inspector when that is over, and nobody would close it.
  const blocked = await blockedNow(pid);
  if (blocked !== undefined) return { ...head, threads: [blocked], note: UNASKED };
  const deadline = new Deadline(milliseconds);
  const late = laterBlocked(pid, deadline).then((thread) => {
    if (thread !== undefined) deadline.end();
    return thread;
  });
  const collect = (session: InspectorThread, over: Promise<void>): Promise<readonly BtThread[]> =>
    collectBt(session, { ...request, pid, over });
  const threads = await askUnprepared(facts, deadline, collect).catch(async (error) => {
    const thread = await late;
    if (thread === undefined) throw error;
    return [thread];
  });
  deadline.end();
  return { ...head, threads, ...(threads[0]?.state === 'blocked' && { note: UNASKED }) };
}

/** The main thread, if it is, and stays, outside of JavaScript, where it cannot be interrupted. */
async function blockedNow(pid: number): Promise<BtThread | undefined> {
  let state = blockedMain(pid);
  for (let look = 1; look < LOOKS && state !== undefined; look++) {
    await sleep(LOOK);
    state = blockedMain(pid);
  }
  return state && blockedThread({ thread: 0, name: '', pid, tid: pid });
}

/** What the thread is blocked by, as soon as it is; undefined when the time is up. */
async function laterBlocked(pid: number, deadline: Deadline): Promise<BtThread | undefined> {
  while (!deadline.isOver) {
    const thread = await blockedNow(pid);
    if (thread !== undefined) return thread;
    await sleep(LOOK);
  }
  return undefined;
}
