import { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import { fixedString, int, pid, symbol } from '../../tracepoint/fields.js';
import { unharmed } from '../async/unharmed.js';
import { replaceMethod } from '../realm/lookalike.js';
import { reflectApply } from '../realm/primordials.js';
import { undoAll } from '../realm/undo.js';
import { replaceExports } from './builtin-methods.js';
import { nodeEventSystem } from './node-event-system.js';
import { commOf } from './thread-comm.js';

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Bytes of a task's name. */
const COMM = 16;
const SIGTERM = 15;
const { listeners } = EventEmitter.prototype;
const signals: Readonly<Record<string, number | undefined>> = Object.assign(Object.create(null), constants.signals);

/** The number of a signal as kill() takes it; 0 for none. */
function signalOf(signal: unknown): number {
  if (signal === undefined) return SIGTERM;
  if (typeof signal === 'number') return signal;
  return typeof signal === 'string' ? (signals[signal] ?? 0) : 0;
}

/**
 * Signals that the program sends, and those that its handlers get (include/trace/events/signal.h). What other processes send is
 * seen when it arrives; what has no handler in the program, and what is sent by native code, is not.
 */
export const signal = nodeEventSystem<{
  signal_generate: [sig: number, comm: string, pid: number];
  signal_deliver: [sig: number, handler: unknown];
}>('signal', {
  events: {
    signal_generate: {
      args: ['sig', 'comm', 'pid'],
      fields: {
        sig: int((sig) => sig),
        comm: fixedString(COMM, (_sig, comm) => comm),
        pid: pid((_sig, _comm, target) => target),
      },
      print: '"sig=%d comm=%s pid=%d", REC->sig, REC->comm, REC->pid',
    },
    signal_deliver: {
      args: ['sig', 'handler'],
      takesFunctions: true,
      fields: { sig: int((sig) => sig), sa_handler: symbol((_sig, handler) => handler) },
      print: '"sig=%d sa_handler=%ps", REC->sig, (void *)REC->sa_handler',
    },
  },
  sources: [
    {
      events: ['signal_generate'],
      start({ signal_generate }) {
        /** Records a signal that was sent; 0 only asks whether there is such a process. */
        const sent = (target: unknown, signal: unknown, comm: string): void => {
          const sig = signalOf(signal);
          if (sig !== 0) signal_generate(sig, comm, Number(target));
        };
        return undoAll([
          replaceExports(
            [process],
            ['kill'],
            (original) =>
              ({
                kill(this: unknown, ...args: unknown[]): unknown {
                  const target = args[0];
                  const signal = args[1];
                  const isNumber = typeof target === 'number';
                  // The signal may end the process that it names.
                  const comm = isNumber && signalOf(signal) !== 0 ? commOf(target) : '';
                  const result = reflectApply(original, this, args);
                  if (isNumber) sent(target, signal, comm);
                  return result;
                },
              }).kill,
          ),
          replaceMethod<Method>(
            ChildProcess.prototype,
            'kill',
            (original) =>
              ({
                kill(this: unknown, ...args: unknown[]): unknown {
                  const target: unknown = this instanceof ChildProcess ? this.pid : undefined;
                  const comm = typeof target === 'number' ? commOf(target) : '';
                  const result = reflectApply(original, this, args);
                  if (result === true && typeof target === 'number') sent(target, args[0], comm);
                  return result;
                },
              }).kill,
          ),
        ]);
      },
    },
    {
      events: ['signal_deliver'],
      start: ({ signal_deliver }, thread) =>
        thread.watchProcess({
          before: unharmed((name, details) => {
            const number = details[1];
            if (typeof name !== 'string' || typeof number !== 'number' || number !== signals[name]) return;
            signal_deliver(number, (reflectApply(listeners, process, [name]) as unknown[])[0]);
          }),
        }),
    },
  ],
});
