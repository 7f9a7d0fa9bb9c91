import type { TraceHost } from './host.js';
import type { TraceFile } from './node.js';
import { readOnly } from './text-file.js';

/** saved_cmdlines: `pid comm`, a line a task. */
export const savedCmdlines = (host: TraceHost): TraceFile =>
  readOnly(() => [...host.comms()].map(([pid, comm]) => `${pid} ${comm}\n`).join(''));

/** saved_tgids: `pid tgid`, a line a task that was seen while record-tgid was set. */
export const savedTgids = (): TraceFile => readOnly(() => '');
