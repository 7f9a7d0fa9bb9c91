import { lookLike } from './lookalike.js';
import { defineProperty, getOwnPropertyDescriptor, reflectApply } from './primordials.js';
import type { Undo } from './undo.js';

/** What hears of the events of `process` without being one of its listeners, which the program could count. Must not throw. */
export interface ProcessEventWatcher {
  /** Called before the program's listeners. */
  before?(name: string | symbol, details: readonly unknown[]): void;
  /** Called after them. @param heard whether there were any */
  after?(name: string | symbol, heard: boolean, details: readonly unknown[]): void;
}

type Emit = (this: NodeJS.Process, name: string | symbol, ...details: unknown[]) => boolean;

let watchers: readonly ProcessEventWatcher[] = [];
let restore: Undo = () => {};

/** Replaces `process.emit`; the listeners of signals are called by the one that was there when the first of them was added. */
function watch(): Undo {
  const before = getOwnPropertyDescriptor(process, 'emit');
  const emit = process.emit as Emit;
  const standIn = lookLike<Emit>(
    {
      emit(this: NodeJS.Process, ...args: [string | symbol, ...unknown[]]): boolean {
        const present = watchers;
        const [name, ...details] = args;
        for (let i = 0; i < present.length; i++) present[i]!.before?.(name, details);
        const heard = reflectApply(emit, this, args) as boolean;
        for (let i = 0; i < present.length; i++) present[i]!.after?.(name, heard, details);
        return heard;
      },
    }.emit,
    emit as never,
  );
  defineProperty(process, 'emit', { value: standIn, writable: true, enumerable: false, configurable: true });
  return () => {
    if (process.emit !== (standIn as unknown)) return;
    if (before === undefined) Reflect.deleteProperty(process, 'emit');
    else defineProperty(process, 'emit', before);
  };
}

/**
 * Listens to the events of `process` until what is returned is called. Without a listener, `process.emit` is as it was before.
 */
export function watchProcess(watcher: ProcessEventWatcher): Undo {
  if (watchers.length === 0) restore = watch();
  watchers = [...watchers, watcher];
  return () => {
    watchers = watchers.filter((one) => one !== watcher);
    if (watchers.length === 0) restore();
  };
}
