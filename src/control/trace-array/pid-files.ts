import { PID_FILES, type PidFileName, pidText, writePids } from '../../ftrace/pid-list.js';
import type { TraceFile } from '../tracefs/node.js';
import { textFile } from '../tracefs/text-file.js';
import type { TraceInstance } from './instance.js';

/** set_ftrace_pid and the similar files: tasks by number; each write takes effect separately (pid_write, event_pid_write). */
function pidFile({ taskPids }: TraceInstance, name: PidFileName): TraceFile {
  const file = textFile({
    mode: 0o640,
    show: () => pidText(taskPids.get(name), name),
    store: (text) => taskPids.set(name, writePids(taskPids.get(name), text)),
    truncate: () => taskPids.set(name, undefined),
  });
  return {
    ...file,
    async open(flags, caller) {
      await taskPids.look();
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
