import { BUSY, CALLBACK, INTERRUPTED } from '../../../ftrace/fgraph.js';
import { lost, torn } from '../tracers/lost.js';
import type { ThreadTrace } from '../tracers/thread-trace.js';
import { type EventTime, eventTime } from './event-time.js';
import { createAddressOf } from './function-address.js';

/** What a field shows when its value could not be taken. */
const FAULT = '(fault)';

/** What the code that is generated for events finds on its thread. One for each thread. */
export interface EventEnvironment {
  /** An event is being recorded: what happens meanwhile is fentry's own doing. */
  isInside: boolean;
  /** How many events are being recorded that actions of others have caused. */
  nested: number;
  readonly cpu: number;
  readonly clock: () => number;
  /** When what is recorded happened, if that was earlier. */
  readonly eventTime: EventTime;
  /** The name of the running task. */
  comm(): string;
  /** The address of a function's text, or 0. */
  addressOf(value: unknown): number;
  /** Until `leaveCallback` nothing that is called is traced. */
  enterCallback(): number;
  leaveCallback(busy: number): void;
  /** The values of the fields, one getter after the other: of those that throw a mark. */
  oneByOne(getters: readonly ((...args: unknown[]) => unknown)[], args: readonly unknown[]): unknown[];
  /** A record could not be reserved; and the stack overflowed. */
  lost(): void;
  torn(): void;
}

/** What the environment needs of its thread. */
export interface EnvironmentNeeds {
  readonly cpu: number;
  readonly comm: () => string;
}

/** Creates the environment of a thread. */
export function createEnvironment(trace: ThreadTrace, { cpu, comm }: EnvironmentNeeds): EventEnvironment {
  const { state } = trace.fgraph;
  return {
    isInside: false,
    nested: 0,
    cpu,
    clock: trace.clock,
    eventTime,
    comm,
    addressOf: createAddressOf(trace),
    enterCallback() {
      const busy = state[BUSY]!;
      state[BUSY] = busy | CALLBACK;
      return busy;
    },
    leaveCallback(busy) {
      state[BUSY] = busy | (state[BUSY]! & INTERRUPTED);
    },
    oneByOne: (getters, args) =>
      getters.map((getter) => {
        try {
          return getter(...args);
        } catch {
          return FAULT;
        }
      }),
    lost: () => void lost(trace),
    torn: () => void torn(trace),
  };
}
