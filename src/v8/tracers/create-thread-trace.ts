import type { Fgraph } from '../../ftrace/fgraph.js';
import { OPS_ID } from '../../ftrace/ops.js';
import { NO_WRITER } from '../../ftrace/tracers/record-writer.js';
import { NOP_CONFIG } from '../../ftrace/tracers/tracer-config.js';
import type { FindCaller, StackDepth, WalkStack } from '../call-stack.js';
import { createJobMarker } from './job.js';
import { createStackTrace } from './stack-trace.js';
import type { ThreadTrace } from './thread-trace.js';

/** What the context of a thread is created from. */
export interface TraceNeeds {
  /** Nanoseconds of the trace clock. */
  readonly clock: () => number;
  /** Creates the function that finds callers; called once, when it is first needed. */
  readonly createFindCaller: () => FindCaller;
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
    walkStack(addresses, withAwaiting) {
      walkStack ??= needs.createWalkStack();
      return walkStack(addresses, withAwaiting);
    },
    createStackDepth: needs.createStackDepth,
    stackTrace: () => {},
    dump: needs.dump,
    writer: NO_WRITER,
    config: NOP_CONFIG,
    outputs: new Map(),
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
    outermost: createJobMarker(fgraph),
  };
  ctx.stackTrace = createStackTrace(ctx);
  return ctx;
}
