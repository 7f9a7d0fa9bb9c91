import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { asTraceError, type Errno, TraceError } from '../../base/errno.js';
import { PAGE } from '../../base/page.js';
import { pause } from '../../base/pause.js';
import { InstanceSwitch } from '../../ring-buffer/index.js';
import type { LocalProcess } from '../addon/local-process.js';
import type { SeccompFilter } from '../addon/seccomp-filter.js';
import { processMachine } from '../machines/process-machine.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { type StopAnswer, type StopRequest, stopRequest } from '../process/stopper.js';
import { leftOf, type MakeChanges, type PendingChanges } from './change-queue.js';
import { letTrace } from './let-trace.js';

const CALL = processMachine.systemCalls;
const PROTECTION = { READ: 1, READ_WRITE: 3 } as const;
/** Milliseconds. */
const MOMENT = 1;
const EXPEDITED = { register: 1 << 4, barrier: 1 << 3 } as const;
const LARGEST_ANSWER = 2 ** 28;

/** What changes this process itself. */
export interface LocalChanges {
  readonly local: LocalProcess;
  readonly memory: ProcessMemory;
  readonly filter: SeccompFilter;
  /** The program that stops it (process/stopper-main.ts). */
  readonly stopper: string;
  /** What all writers look at before each event. */
  readonly topSwitch: SharedArrayBuffer;
}

/**
 * Makes changes of the process that this thread is one of. Text is changed by a helper process, because the thread stands still
 * too while all stand still. What is done to rings needs no stop: for that moment no thread begins a record.
 */
export function changeLocal(way: LocalChanges): MakeChanges {
  const { local, memory, filter, topSwitch } = way;
  local.rawSystemCall(CALL.membarrier, EXPEDITED.register, 0, 0);
  const instance = new InstanceSwitch(topSwitch);
  const barrier = barrierOf(local, memory, filter);
  const quietly = ({ work }: PendingChanges): PendingChanges['work'] => {
    if (work.length === 0) return work;
    instance.setOff('moving', true);
    try {
      // From here on every thread sees the switch, or is seen to be in the midst of a record.
      barrier();
      return work.filter((run) => !run([]));
    } finally {
      instance.setOff('moving', false);
    }
  };
  return (changes) => {
    const work = quietly(changes);
    try {
      return { work, text: changeStoppedly(way, changes) };
    } catch (error) {
      return { work, text: changes.text, error: asTraceError(error) };
    }
  };
}

/**
 * A memory barrier on all processors that run this process. With a seccomp filter, by what every program of Node does: taking the
 * right to write to a page makes the system interrupt them. Where it interrupts nobody for that (arm64), in a moment that is
 * longer by far than they keep what they have stored, all of it is seen.
 */
function barrierOf(local: LocalProcess, memory: ProcessMemory, filter: SeccompFilter): () => void {
  const { address } = local.mapAnonymous(PAGE);
  return () => {
    if (!filter.isOn) {
      local.systemCall(CALL.membarrier, EXPEDITED.barrier, 0, 0);
      return;
    }
    local.systemCall(CALL.mprotect, address, PAGE, PROTECTION.READ_WRITE);
    memory.write(address, Uint8Array.of(1));
    local.systemCall(CALL.mprotect, address, PAGE, PROTECTION.READ);
    if (!processMachine.interruptsForRights) pause(MOMENT);
  };
}

/** Changes text and looks at stacks. */
function changeStoppedly(way: LocalChanges, { text, looks }: PendingChanges): PendingChanges['text'] {
  const asked = looks.flatMap((look) => {
    const question = look.ask();
    return question === undefined ? [] : [{ look, question }];
  });
  if (text.length + asked.length === 0) return text;
  way.filter.check();
  const questions = asked.map(({ question }) => question);
  const { stdout, stderr, error } = askStopper(way, stopRequest(process.pid, text, questions));
  if (error !== undefined || stdout === '') {
    throw new TraceError('EIO', `the process that changes this one's text: ${error?.message ?? stderr}`);
  }
  const { changes, looked, errno, message } = JSON.parse(stdout) as StopAnswer;
  if (changes === undefined) throw new TraceError(errno as Errno, message ?? '');
  for (const [i, { look }] of asked.entries()) look.told(looked![i]!);
  return leftOf(text, changes);
}

/**
 * Runs the helper process. Others may change this process only meanwhile, also where Node's permission model forbids to start it.
 */
function askStopper({ local, filter, stopper }: LocalChanges, request: StopRequest): SpawnSyncReturns<string> {
  const forbid = letTrace(local, filter);
  try {
    // With as much room for young objects nothing is collected while this process stands still.
    return spawnSync(process.execPath, ['--min-semi-space-size=16', stopper], {
      input: JSON.stringify(request),
      encoding: 'utf8',
      env: {},
      cwd: '/',
      maxBuffer: LARGEST_ANSWER,
    });
  } finally {
    forbid();
  }
}
