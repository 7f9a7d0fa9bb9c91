import { TraceError } from '../../base/errno.js';
import { SYSCTLS, type SysctlName, type Sysctls } from '../process/sysctl.js';
import type { TraceFile } from '../tracefs/node.js';
import { parseSigned } from '../tracefs/numbers.js';
import { textFile } from '../tracefs/text-file.js';

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
