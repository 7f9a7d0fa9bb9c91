import type { LocalProcess } from '../addon/local-process.js';
import type { SeccompFilter } from '../addon/seccomp-filter.js';
import { processMachine } from '../machines/process-machine.js';

/** prctl: which process may change this one, where kernel.yama.ptrace_scope is 1; any, or none. */
const SET_PTRACER = 0x59616d61;
const [ANY, NONE] = [-1, 0];

/** How many have asked for it and are not done. */
let asked = 0;

/** Lets other processes trace this one, until all who have asked for that are done: what is returned says so, once or more. */
export function letTrace(local: LocalProcess, filter: SeccompFilter): () => void {
  const { prctl } = processMachine.systemCalls;
  asked++;
  local.rawSystemCall(prctl, SET_PTRACER, ANY);
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    asked--;
    // The program may have given itself a filter meanwhile.
    if (asked === 0 && !filter.isOn) local.rawSystemCall(prctl, SET_PTRACER, NONE);
  };
}
