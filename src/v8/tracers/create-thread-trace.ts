import { SafeMap } from '../../base/safe-map.js';
import { unseenMicrotask } from '../../base/unseen-microtask.js';
import { type Fgraph, MARKED } from '../../ftrace/fgraph.js';
import { OPS_ID } from '../../ftrace/ops.js';
import { NO_WRITER } from '../../ftrace/tracers/record-writer.js';
import { NOP_CONFIG } from '../../ftrace/tracers/tracer-config.js';
import type { FindCaller, StackDepth, WalkStack } from '../call-stack.js';
import { createStackTrace } from './stack-trace.js';
import { NOT_CAUGHT, type ThreadTrace } from './thread-trace.js';

/**
 * Clears the frames that exceptions left on the shadow stack when a job ends. The outermost entry of a job calls the returned
 * function, which puts one marker into the microtask queue: when it runs, the JavaScript stack is empty, so every frame on the
 * shadow stack is dead. At most one marker waits at a time, whatever the number of calls.
 *
 * No hook may see the marker: a traced hook of the program that is called after it would be outermost again and put the next
 * marker into the queue, so the queue would never be empty.
 */
function createJobMarker(fgraph: Fgraph): () => void {
  const { state } = fgraph;
  const mark = unseenMicrotask(() => {
    state[MARKED] = 0;
    fgraph.unwindTo(0);
  });
  return () => {
    if (state[MARKED] !== 0) return;
    state[MARKED] = 1;
    try {
      mark();
    } catch {
      // The stack is full; the next outermost call tries again.
      state[MARKED] = 0;
    }
  };
}

/** What the context of a thread is created from. */
export interface TraceNeeds {
  /** Nanoseconds of the trace clock. */
  readonly clock: () => number;
  /** Creates the function that finds callers; called once, when it is first needed. */
  readonly createFindCaller: () => FindCaller;
  /** Creates the function that finds who prints; called once, when it is first needed. */
  readonly createFindPrinter: (walkStack: WalkStack) => FindCaller;
  /** Creates the function that walks the stack; called once, when it is first needed. */
  readonly createWalkStack: () => WalkStack;
  /** Creates the function that measures the stack; undefined if the system does not show the stack pointer. */
  readonly createStackDepth: () => StackDepth | undefined;
  /** Prints all buffers, or only this thread's; returns when that is done. */
  readonly dump: (ownCpuOnly: boolean) => void;
  /** The thread's id at the operating system. */
  readonly tid: number;
}

/** Creates the context of a thread that traces nothing yet. */
export function createThreadTrace(needs: TraceNeeds, fgraph: Fgraph): ThreadTrace {
  let walkStack: WalkStack | undefined;
  const ctx: ThreadTrace = {
    clock: needs.clock,
    fgraph,
    tid: needs.tid,
    walkStack(addresses, withAwaiting, callee) {
      walkStack ??= needs.createWalkStack();
      return walkStack(addresses, withAwaiting, callee);
    },
    createStackDepth: needs.createStackDepth,
    stackTrace: () => {},
    dump: needs.dump,
    writer: NO_WRITER,
    config: NOP_CONFIG,
    outputs: new SafeMap(),
    eventWords: new Int32Array(0),
    pid: needs.tid,
    ignored: 0,
    addresses: new Uint32Array(1024),
    parent: 0,
    findCaller: undefined,
    epoch: 0,
    since: new Int32Array(OPS_ID.FIRST_GIVEN),
    nextCall: undefined,
    calls: undefined,
    caught: NOT_CAUGHT,
    catches: undefined,
    outermost: createJobMarker(fgraph),
  };
  ctx.stackTrace = createStackTrace(ctx);
  return ctx;
}
