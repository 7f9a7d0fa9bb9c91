import { MAX_TEXT_SIZE } from '../../port/limits.js';

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

/** Where the values are kept: the program's threads read them at once. */
export interface Sysctls {
  get(name: SysctlName): number;
  set(name: SysctlName, value: number): void;
}
