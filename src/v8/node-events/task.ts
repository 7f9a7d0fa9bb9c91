import { fixedString, pid, ulong } from '../../tracepoint/fields.js';
import { undoAll } from '../realm/undo.js';
import { listenToChildren } from './child-processes.js';
import { nodeEventSystem } from './node-event-system.js';
import { ContextTasks } from './sched/contexts.js';
import { commOf } from './thread-comm.js';

/** Bytes of a task's name. */
const COMM = 16;
/** A context shares everything with its creator: CLONE_VM, CLONE_FS, CLONE_FILES, CLONE_SIGHAND, CLONE_THREAD. */
const CLONE_CONTEXT = 0x10f00;
const CLONE_PROCESS = 0;
/** A task is announced before sched_process_fork. */
const LEVEL = -3;

/** New tasks: async contexts and child processes; and the names of the latter (include/trace/events/task.h). */
export const task = nodeEventSystem<{
  task_newtask: [pid: number, comm: string, cloneFlags: number];
  task_rename: [pid: number, oldcomm: string, newcomm: string];
}>('task', {
  events: {
    task_newtask: {
      args: ['pid', 'comm', 'clone_flags'],
      fields: {
        pid: pid((id) => id),
        comm: fixedString(COMM, (_pid, comm) => comm),
        clone_flags: ulong((_pid, _comm, flags) => flags),
      },
      print: '"pid=%d comm=%s clone_flags=%lx", REC->pid, REC->comm, REC->clone_flags',
    },
    task_rename: {
      args: ['pid', 'oldcomm', 'newcomm'],
      fields: {
        pid: pid((id) => id),
        oldcomm: fixedString(COMM, (_pid, old) => old),
        newcomm: fixedString(COMM, (_pid, _old, comm) => comm),
      },
      print: '"pid=%d oldcomm=%s newcomm=%s", REC->pid, REC->oldcomm, REC->newcomm',
    },
  },
  sources: [
    {
      events: ['task_newtask'],
      start({ task_newtask }, thread) {
        const names = new ContextTasks(thread);
        return undoAll([
          thread.contexts.listen({ level: LEVEL, created: (id, type) => task_newtask(names.pid(id), type, CLONE_CONTEXT) }),
          listenToChildren(thread, { forked: (child) => task_newtask(child.pid, commOf(process.pid), CLONE_PROCESS) }),
        ]);
      },
    },
    {
      events: ['task_rename'],
      start: ({ task_rename }, thread) =>
        listenToChildren(thread, { forked: (child) => task_rename(child.pid, commOf(process.pid), child.comm) }),
    },
  ],
});
