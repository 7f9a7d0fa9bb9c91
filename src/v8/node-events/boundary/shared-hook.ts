import type { Undo } from '../../realm/undo.js';

/**
 * A hook that several systems listen to: installed with the first listener, taken back with the last.
 * @param install gets a list that always has the present listeners
 * @returns adds a listener, and returns what removes it
 */
export function sharedHook<L>(install: (listeners: readonly L[]) => Undo): (listener: L) => Undo {
  const listeners: L[] = [];
  let undo: Undo | undefined;
  return (listener) => {
    listeners.push(listener);
    undo ??= install(listeners);
    return () => {
      const at = listeners.indexOf(listener);
      if (at >= 0) listeners.splice(at, 1);
      if (listeners.length > 0) return;
      undo?.();
      undo = undefined;
    };
  };
}
