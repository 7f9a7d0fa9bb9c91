import { TraceError } from '../../base/errno.js';
import { MAX_TEXT_SIZE } from '../../port/limits.js';
import type { ThreadFlags, TracedThread, TracedThreads } from '../../port/port.js';
import type { TraceFile } from '../tracefs/node.js';
import { parseSigned } from '../tracefs/numbers.js';
import { textFile } from '../tracefs/text-file.js';

const MOST_INT = 2 ** 31 - 1;

/** The switches that the kernel has under /proc/sys/kernel, and max_text_size, with their least and largest values. */
export const SYSCTLS = {
  /** What happens when the program dies of an error: 0 nothing, 1 all buffers are dumped, 2 that of the thread that died. */
  ftrace_dump_on_oops: [0, 2],
  /** 1: a warning that the program emits turns tracing off. */
  traceoff_on_warning: [0, 1],
  /** Not 0: events are printed on stderr, too. It stays 0 in a process that was started without tp_printk. */
  tracepoint_printk: [-MOST_INT - 1, MOST_INT],
  /** Characters of recorded texts; 0: as many as each kind has by itself. */
  max_text_size: [0, MAX_TEXT_SIZE],
} as const;
/** The name of a switch. */
export type SysctlName = keyof typeof SYSCTLS;

/** The values of the switches: the program's threads read them at once, or are told. */
export class Sysctls {
  readonly #flags: ThreadFlags;
  readonly #threads: Pick<TracedThreads, 'living'>;
  readonly #hasConsole: boolean;
  #textSize = 0;

  /** @param hasConsole tracepoint_printk has an effect */
  constructor(flags: ThreadFlags, threads: Pick<TracedThreads, 'living'>, hasConsole: boolean) {
    this.#flags = flags;
    this.#threads = threads;
    this.#hasConsole = hasConsole;
  }

  get(name: SysctlName): number {
    return name === 'max_text_size' ? this.#textSize : this.#flags.get(name);
  }

  set(name: SysctlName, value: number): void {
    if (name === 'max_text_size') this.#setTextSize(value);
    else this.#flags.set(name, name === 'tracepoint_printk' && !this.#hasConsole ? 0 : value);
  }

  addThread(thread: TracedThread): void {
    if (this.#textSize !== 0) thread.post({ type: 'text size', characters: this.#textSize });
  }

  #setTextSize(characters: number): void {
    this.#textSize = characters;
    for (const thread of this.#threads.living) thread.post({ type: 'text size', characters });
  }
}

const sysctlFile = (sysctls: Sysctls, name: SysctlName): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => `${sysctls.get(name)}\n`,
    store(text) {
      const value = parseSigned(text);
      const [least, most] = SYSCTLS[name];
      if (value < least || value > most) throw new TraceError('EINVAL', `must be from ${least} to ${most}`);
      sysctls.set(name, value);
    },
  });

/** ftrace_dump_on_oops, traceoff_on_warning, tracepoint_printk, which the kernel has in /proc/sys/kernel, and max_text_size. */
export const sysctlFiles = (sysctls: Sysctls): Readonly<Record<string, TraceFile>> =>
  Object.fromEntries(Object.keys(SYSCTLS).map((name) => [name, sysctlFile(sysctls, name as SysctlName)]));
