import { ReflectDeleteProperty } from '../../base/primordials.js';
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
        const name = args[0];
        const details: unknown[] = [];
        for (let i = 1; i < args.length; i++) details[i - 1] = args[i];
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
    if (before === undefined) ReflectDeleteProperty(process, 'emit');
    else defineProperty(process, 'emit', before);
  };
}

/** A copy of the watchers, of which one may be left out. The present ones are being called, perhaps. */
function without(left: ProcessEventWatcher | undefined): ProcessEventWatcher[] {
  const others: ProcessEventWatcher[] = [];
  for (let i = 0; i < watchers.length; i++) if (watchers[i] !== left) others[others.length] = watchers[i]!;
  return others;
}

/**
 * Listens to the events of `process` until what is returned is called. Without a listener, `process.emit` is as it was before.
 */
export function watchProcess(watcher: ProcessEventWatcher): Undo {
  if (watchers.length === 0) restore = watch();
  watchers = without(undefined);
  (watchers as ProcessEventWatcher[])[watchers.length] = watcher;
  return () => {
    watchers = without(watcher);
    if (watchers.length === 0) restore();
  };
}
