import type { OptionFlags } from './options.js';
import { PID_FILES, type PidFileName, type PidList } from './pid-list.js';

/** The option with which tasks that a listed task starts are listed too, for each file. */
const FOLLOWS = {
  set_ftrace_pid: 'function-fork',
  set_ftrace_notrace_pid: 'function-fork',
  set_event_pid: 'event-fork',
  set_event_notrace_pid: 'event-fork',
} as const satisfies Record<PidFileName, string>;

const NAMES = Object.keys(PID_FILES) as PidFileName[];

/** The pid lists of an instance. */
export class PidLists {
  readonly #lists = new Map<PidFileName, ReadonlySet<number>>();

  get(name: PidFileName): PidList {
    return this.#lists.get(name);
  }

  set(name: PidFileName, list: PidList): void {
    if (list === undefined) this.#lists.delete(name);
    else this.#lists.set(name, list);
  }

  /** A task started another; returns the files that changed. */
  forked(parent: number, child: number, options: OptionFlags): readonly PidFileName[] {
    return this.#change(options, (list) => (list.has(parent) && !list.has(child) ? new Set([...list, child]) : list));
  }

  /** A task has ended: another one may soon have its number. Returns the files that changed. */
  exited(pid: number, options: OptionFlags): readonly PidFileName[] {
    return this.#change(options, (list) => (list.has(pid) ? new Set([...list].filter((one) => one !== pid)) : list));
  }

  #change(options: OptionFlags, change: (list: ReadonlySet<number>) => ReadonlySet<number>): readonly PidFileName[] {
    return NAMES.filter((name) => {
      const list = this.#lists.get(name);
      if (list === undefined || !options[FOLLOWS[name]]) return false;
      const changed = change(list);
      this.#lists.set(name, changed);
      return changed !== list;
    });
  }
}
