import { TraceError } from '../../base/errno.js';
import type { OptionFlags } from '../../ftrace/options.js';
import type { TraceFile } from '../tracefs/node.js';
import { parseUnsigned } from '../tracefs/numbers.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import type { SavedCmdlines } from './task-names.js';

/** What the files of tasks need of the process. */
export interface NamedTasks {
  /** The names of the tasks that were seen, at most saved_cmdlines_size. */
  readonly cmdlines: SavedCmdlines;
  /** [pid, comm] of every task seen. */
  comms(): Iterable<readonly [number, string]>;
  isOwnTask(pid: number): boolean;
}

/** saved_cmdlines: `pid comm`, a line a task. */
export const savedCmdlines = (process: NamedTasks): TraceFile =>
  readOnly(() => [...process.comms()].map(([pid, comm]) => `${pid} ${comm}\n`).join(''));

/** The largest number for saved_cmdlines_size (PID_MAX_DEFAULT). */
const MAX_CMDLINES = 32_768;

/** saved_cmdlines_size: how many names are kept; the number is rounded up. */
export const savedCmdlinesSize = (process: NamedTasks): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => `${process.cmdlines.size}\n`,
    store(text) {
      const wanted = parseUnsigned(text);
      if (wanted === 0 || wanted > MAX_CMDLINES) throw new TraceError('EINVAL', `must be from 1 to ${MAX_CMDLINES}`);
      process.cmdlines.resize(wanted);
    },
  });

/** saved_tgids: `pid tgid`, a line a task of this process, while record-tgid is set. */
export const savedTgids = (traced: NamedTasks, options: () => OptionFlags): TraceFile =>
  readOnly(() => {
    if (!options()['record-tgid']) return '';
    const own = [...traced.comms()].filter(([pid]) => traced.isOwnTask(pid));
    return own.map(([pid]) => `${pid} ${process.pid}\n`).join('');
  });
