import { PID_FILES, type PidFileName, pidText, writePids } from '../../ftrace/pid-list.js';
import type { TraceFile } from '../tracefs/node.js';
import { textFile } from '../tracefs/text-file.js';
import type { TraceInstance } from './instance.js';

/** set_ftrace_pid and the similar files: tasks by number; each write takes effect separately (pid_write, event_pid_write). */
function pidFile(instance: TraceInstance, name: PidFileName): TraceFile {
  const file = textFile({
    mode: 0o640,
    show: () => pidText(instance.pids(name), name),
    store: (text) => instance.setPids(name, writePids(instance.pids(name), text)),
    truncate: () => instance.setPids(name, undefined),
  });
  return {
    ...file,
    async open(flags, caller) {
      await instance.lookAtPids();
      return file.open(flags, caller);
    },
  };
}

/** The pid files of an instance, by name. */
export const pidFiles = (instance: TraceInstance): Readonly<Record<PidFileName, TraceFile>> =>
  Object.fromEntries((Object.keys(PID_FILES) as PidFileName[]).map((name) => [name, pidFile(instance, name)])) as Record<
    PidFileName,
    TraceFile
  >;
