import { traceClock } from '../../ring-buffer/index.js';
import type { ScriptContext, ScriptValues } from '../../script/script-code.js';

const NS_PER_MS = 1_000_000;

/** Handlers that run on the control thread fetch nothing. */
const NO_VALUES: ScriptValues = {
  integerOf: () => 0,
  stringOf: (value) => (typeof value === 'string' ? value : ''),
  shownOf: () => '',
  memberOf: () => undefined,
};

/** The command that has started a script: what `begin`, `end` and timers run as. */
export interface ScriptStarter {
  readonly pid: number;
  readonly comm: string;
}

/** What handlers find on the control thread. */
export function controlContext({ pid, comm }: ScriptStarter): ScriptContext {
  const wall = BigInt(Date.now() * NS_PER_MS) - BigInt(traceClock());
  return {
    writer: 0,
    cpu: 0,
    pid,
    tid: () => pid,
    ppid: () => process.ppid,
    uid: () => process.getuid?.() ?? 0,
    gid: () => process.getgid?.() ?? 0,
    comm: () => comm,
    nsecs: traceClock,
    wallNsecs: () => wall + BigInt(traceClock()),
    functionName: () => '',
    moduleName: () => '',
    address: () => 0,
    thrown: () => '',
    stack: () => '',
    values: NO_VALUES,
  };
}
