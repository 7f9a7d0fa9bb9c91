import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Worker } from 'node:worker_threads';
import { int, symbol, uint } from '../../tracepoint/fields.js';
import { replaceMethod } from '../realm/lookalike.js';
import { getOwnPropertyDescriptor, reflectApply, SafeWeakMap, uncurry } from '../realm/primordials.js';
import { undoAll } from '../realm/undo.js';
import { isHidden } from '../shared/hidden-objects.js';
import { nodeEventSystem } from './node-event-system.js';

/** The states of a worker, which are also the steps that lead to them. */
const STATE = { OFFLINE: 0, STARTING: 1, ONLINE: 2 } as const;

type Cpuhp = {
  cpuhp_enter: [cpu: number, target: number, step: number, fun: number, worker: number];
  cpuhp_exit: [cpu: number, state: number, step: number, ret: number, worker: number];
};
type Method = (this: object, ...args: unknown[]) => unknown;

/** Node publishes each new worker there, before its constructor returns. */
const CHANNEL = 'worker_threads';
/** The type of a worker's first message to Node. */
const RUNS = 'upAndRunning';
const ownMethod = (name: string): symbol | undefined =>
  Object.getOwnPropertySymbols(Worker.prototype).find(({ description }) => description === name);
const ON_EXIT = ownMethod('kOnExit');
const ON_MESSAGE = ownMethod('kOnMessage');
/** Node's number of a worker; -1 after its end. */
const numberOf = uncurry(getOwnPropertyDescriptor(Worker.prototype, 'threadId')!.get as (this: object) => number) as (
  worker: object,
) => number;

interface KnownWorker {
  readonly number: number;
  readonly isOnline: boolean;
  readonly cpu: number;
}

/**
 * Workers that start and end, as cpus that are plugged in and out: `enter` when the program creates or terminates one, `exit`
 * when it runs or has ended. Recorded by the thread that created it.
 */
export const cpuhp = nodeEventSystem<Cpuhp>('cpuhp', {
  events: {
    cpuhp_enter: {
      args: ['cpu', 'target', 'idx', 'fun', 'worker'],
      fields: {
        cpu: uint((cpu) => cpu),
        target: int((_cpu, target) => target),
        idx: int((_cpu, _target, step) => step),
        fun: { ...symbol((_cpu: number, _target: number, _step: number, fun: number) => fun), type: 'void *' },
        worker: uint((_cpu, _target, _step, _fun, worker) => worker),
      },
      print: '"cpu: %04u target: %3d step: %3d (%ps) worker: %u", REC->cpu, REC->target, REC->idx, (void *)REC->fun, REC->worker',
    },
    cpuhp_exit: {
      args: ['cpu', 'state', 'idx', 'ret', 'worker'],
      fields: {
        cpu: uint((cpu) => cpu),
        state: int((_cpu, state) => state),
        idx: int((_cpu, _state, step) => step),
        ret: int((_cpu, _state, _step, ret) => ret),
        worker: uint((_cpu, _state, _step, _ret, worker) => worker),
      },
      print: '" cpu: %04u  state: %3d step: %3d ret: %d worker: %u", REC->cpu, REC->state, REC->idx, REC->ret, REC->worker',
    },
  },
  sources: [
    {
      events: ['cpuhp_enter', 'cpuhp_exit'],
      start({ cpuhp_enter: enter, cpuhp_exit: exit }, { caller, cpuOf }) {
        let isOn = true;
        const known = new SafeWeakMap<object, KnownWorker>();
        const find = (worker: object): KnownWorker => {
          const number = numberOf(worker);
          return known.get(worker) ?? { number, isOnline: true, cpu: cpuOf(number) };
        };

        const created = (message: unknown): void => {
          const { worker } = message as { worker: object };
          const number = numberOf(worker);
          const cpu = cpuOf(number);
          known.set(worker, { number, isOnline: false, cpu });
          enter(cpu, STATE.ONLINE, STATE.STARTING, caller() ?? 0, number);
        };
        const runs = (worker: object): void => {
          const number = numberOf(worker);
          const cpu = cpuOf(number);
          known.set(worker, { number, isOnline: true, cpu });
          exit(cpu, STATE.ONLINE, STATE.STARTING, 0, number);
        };
        const terminated = (worker: object): void => {
          if (numberOf(worker) < 0) return;
          const { cpu, number } = find(worker);
          enter(cpu, STATE.OFFLINE, STATE.ONLINE, caller() ?? 0, number);
        };
        const ended = (worker: object, code: unknown): void => {
          const { cpu, number, isOnline } = find(worker);
          exit(cpu, STATE.OFFLINE, isOnline ? STATE.ONLINE : STATE.STARTING, typeof code === 'number' ? code : 1, number);
        };

        const first =
          (see: (worker: object, argument: unknown) => void) =>
          (original: Method): Method =>
            ({
              method(this: object, ...args: unknown[]): unknown {
                try {
                  if (isOn && !isHidden(this)) see(this, args[0]);
                } catch {
                  // This is not a worker: the method says so.
                }
                return reflectApply(original, this, args);
              },
            }).method;
        const hook = (key: PropertyKey | undefined, see: (worker: object, argument: unknown) => void) =>
          key === undefined ? () => {} : replaceMethod<Method>(Worker.prototype, key, first(see));

        subscribe(CHANNEL, created);
        const undo = undoAll([
          hook('terminate', terminated),
          hook(ON_MESSAGE, (worker, message) => {
            if ((message as { type?: unknown }).type === RUNS) runs(worker);
          }),
          hook(ON_EXIT, ended),
        ]);
        return () => {
          isOn = false;
          unsubscribe(CHANNEL, created);
          undo();
        };
      },
    },
  ],
});
