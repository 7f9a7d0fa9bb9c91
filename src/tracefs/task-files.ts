import type { TraceHost } from '../core/host.js';
import type { TraceInstance } from '../core/instance.js';
import type { TraceFile } from './node.js';
import { readOnly } from './text-file.js';

/** saved_cmdlines: `pid comm`, a line a task. */
export const savedCmdlines = (host: TraceHost): TraceFile =>
  readOnly(() => [...host.comms()].map(([pid, comm]) => `${pid} ${comm}\n`).join(''));

/** saved_tgids: `pid tgid`, a line a task, while record-tgid is set. Every task is a thread of this process. */
export const savedTgids = (instance: TraceInstance): TraceFile =>
  readOnly(() => {
    if (!instance.options['record-tgid']) return '';
    return [...instance.process.comms()].map(([pid]) => `${pid} ${process.pid}\n`).join('');
  });
