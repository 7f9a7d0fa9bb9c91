import type { StackLook } from '../../port/inspect.js';
import type { LocalProcess } from '../addon/local-process.js';
import type { SeccompFilter } from '../addon/seccomp-filter.js';
import { askStacks } from '../unwind/ask-stacks.js';
import { letTrace } from './let-trace.js';

/**
 * Begins a look at the stacks of this process by a process of its own, which may trace this one until that ends.
 * @throws TraceError EPERM where the program has given itself a seccomp filter: starting a process could end it
 */
export function lookAtLocal(local: LocalProcess, filter: SeccompFilter, program: string): StackLook {
  filter.check();
  const forbid = letTrace(local, filter);
  const look = askStacks(program, process.pid);
  return {
    ready: look.ready,
    async read(except) {
      try {
        return await look.read(except);
      } finally {
        forbid();
      }
    },
    stop() {
      forbid();
      look.stop();
    },
  };
}
