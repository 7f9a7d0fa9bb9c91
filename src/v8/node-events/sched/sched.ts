import { fixedString, int, long, pid, string, type TraceField } from '../../../tracepoint/fields.js';
import { undoAll } from '../../realm/undo.js';
import { listenToChildren } from '../child-processes.js';
import { type NodeEventSource, nodeEventSystem } from '../node-event-system.js';
import { commOf } from '../thread-comm.js';
import { ContextTasks, watchSwitches } from './contexts.js';

type Task = [comm: string, pid: number, prio: number];
type Fork = [parentComm: string, parentPid: number, childComm: string, childPid: number];
type Switch = [...Task, state: number, nextComm: string, nextPid: number, nextPrio: number];

type SchedEvents = {
  sched_switch: Switch;
  sched_waking: [...Task, cpu: number];
  sched_wakeup: [...Task, cpu: number];
  sched_wakeup_new: [...Task, cpu: number];
  sched_process_fork: Fork;
  sched_process_exec: [filename: string, pid: number, oldPid: number];
  sched_process_exit: Task;
  sched_process_wait: Task;
  sched_process_free: Task;
};

/** Bytes of a task's name. */
const COMM = 16;
/** The priority of a process. */
const NORMAL = 120;
/** The level of creations: a task is created before it is ready. */
const FORK_LEVEL = -2;
/** When a context ends, its exit comes before the switch to another one. */
const EXIT_LEVEL = 1;

const task = {
  comm: fixedString<Task>(COMM, (comm) => comm),
  pid: pid<Task>((_comm, id) => id),
  prio: int<Task>((_comm, _pid, prio) => prio),
} satisfies Record<string, TraceField<Task>>;

const ofTask = {
  args: ['comm', 'pid', 'prio'] as const,
  fields: task,
  print: '"comm=%s pid=%d prio=%d", REC->comm, REC->pid, REC->prio',
};

const wakeup = {
  args: ['comm', 'pid', 'prio', 'cpu'] as const,
  fields: {
    comm: fixedString<[...Task, number]>(COMM, (comm) => comm),
    pid: pid<[...Task, number]>((_comm, id) => id),
    prio: int<[...Task, number]>((_comm, _pid, prio) => prio),
    target_cpu: int<[...Task, number]>((_comm, _pid, _prio, cpu) => cpu),
  },
  print: '"comm=%s pid=%d prio=%d target_cpu=%03d", REC->comm, REC->pid, REC->prio, REC->target_cpu',
};

const STATES =
  '{ 0x00000001, "S" }, { 0x00000002, "D" }, { 0x00000004, "T" }, { 0x00000008, "t" }, { 0x00000010, "X" }, { 0x00000020, "Z" }, { 0x00000040, "P" }, { 0x00000080, "I" }';

const switches: NodeEventSource<SchedEvents> = {
  events: ['sched_switch'],
  start({ sched_switch }, thread) {
    const names = new ContextTasks(thread);
    const { eventTasks } = thread;
    return watchSwitches(thread.contexts, names, (prev, state, next) => {
      const prevPid = names.pid(prev);
      const nextPid = names.pid(next);
      eventTasks.switching(prevPid, nextPid);
      sched_switch(names.comm(prev), prevPid, names.prio(prev), state, names.comm(next), nextPid, names.prio(next));
      eventTasks.end();
    });
  },
};

const wakeups: NodeEventSource<SchedEvents> = {
  events: ['sched_waking', 'sched_wakeup', 'sched_wakeup_new'],
  start({ sched_waking, sched_wakeup, sched_wakeup_new }, thread) {
    const names = new ContextTasks(thread);
    return thread.listenToWakeups({
      level: 0,
      ready(id, type, at, isNew) {
        const child = names.pid(id);
        const prio = names.prio(id);
        thread.eventTime.at = at;
        thread.eventTasks.waking(child);
        sched_waking(type, child, prio, thread.cpu);
        if (isNew) sched_wakeup_new(type, child, prio, thread.cpu);
        else sched_wakeup(type, child, prio, thread.cpu);
        thread.eventTasks.end();
        thread.eventTime.at = 0;
      },
    });
  },
};

const forks: NodeEventSource<SchedEvents> = {
  events: ['sched_process_fork'],
  start({ sched_process_fork }, thread) {
    const names = new ContextTasks(thread);
    const forked = (comm: string, child: number): void => {
      const { current } = thread.contexts;
      sched_process_fork(names.comm(current), names.pid(current), comm, child);
    };
    return undoAll([
      thread.contexts.listen({ level: FORK_LEVEL, created: (id, type) => forked(type, names.pid(id)) }),
      // The child has the name of the thread until it executes its program.
      listenToChildren(thread, { forked: ({ pid: child }) => forked(commOf(process.pid), child) }),
    ]);
  },
};

const execs: NodeEventSource<SchedEvents> = {
  events: ['sched_process_exec'],
  start: ({ sched_process_exec }, thread) =>
    listenToChildren(thread, {
      forked: ({ file, pid: child }) => sched_process_exec(file, child, child),
    }),
};

const exits: NodeEventSource<SchedEvents> = {
  events: ['sched_process_exit'],
  start({ sched_process_exit }, thread) {
    const names = new ContextTasks(thread);
    const exited = (id: number): void => sched_process_exit(names.comm(id), names.pid(id), names.prio(id));
    return undoAll([
      thread.contexts.listen({
        level: EXIT_LEVEL,
        ran(id) {
          if (names.isOver(id)) exited(id);
        },
        // One that runs ends when its run does.
        settled(id) {
          if (id !== thread.contexts.current && thread.contexts.knows(id)) exited(id);
        },
      }),
      listenToChildren(thread, { exited: ({ comm, pid: child }) => sched_process_exit(comm, child, NORMAL) }),
    ]);
  },
};

const waits: NodeEventSource<SchedEvents> = {
  events: ['sched_process_wait'],
  start({ sched_process_wait }, thread) {
    const names = new ContextTasks(thread);
    return listenToChildren(thread, {
      waits(child) {
        const { current } = thread.contexts;
        sched_process_wait(names.comm(current), child, names.prio(current));
      },
    });
  },
};

const frees: NodeEventSource<SchedEvents> = {
  events: ['sched_process_free'],
  start({ sched_process_free }, thread) {
    const names = new ContextTasks(thread);
    return thread.contexts.listen({
      level: 0,
      gone: (id) => sched_process_free(names.comm(id), names.pid(id), names.prio(id)),
    });
  },
};

/**
 * Async contexts as the scheduler's tasks, and child processes (include/trace/events/sched.h). A context's pid is its async id,
 * as with the option async-context; its comm is its type.
 */
export const sched = nodeEventSystem<SchedEvents>('sched', {
  events: {
    sched_switch: {
      args: ['prev_comm', 'prev_pid', 'prev_prio', 'prev_state', 'next_comm', 'next_pid', 'next_prio'],
      fields: {
        prev_comm: fixedString<Switch>(COMM, (comm) => comm),
        prev_pid: pid<Switch>((_comm, id) => id),
        prev_prio: int<Switch>((_comm, _pid, prio) => prio),
        prev_state: long<Switch>((_comm, _pid, _prio, state) => state),
        next_comm: fixedString<Switch>(COMM, (_comm, _pid, _prio, _state, comm) => comm),
        next_pid: pid<Switch>((_comm, _pid, _prio, _state, _next, id) => id),
        next_prio: int<Switch>((_comm, _pid, _prio, _state, _next, _id, prio) => prio),
      },
      print: `"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d", REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, "|", ${STATES}) : "R", REC->prev_state & 0x100 ? "+" : "", REC->next_comm, REC->next_pid, REC->next_prio`,
    },
    sched_waking: wakeup,
    sched_wakeup: wakeup,
    sched_wakeup_new: wakeup,
    sched_process_fork: {
      args: ['parent_comm', 'parent_pid', 'child_comm', 'child_pid'],
      fields: {
        parent_comm: fixedString<Fork>(COMM, (comm) => comm),
        parent_pid: pid<Fork>((_comm, id) => id),
        child_comm: fixedString<Fork>(COMM, (_comm, _pid, comm) => comm),
        child_pid: pid<Fork>((_comm, _pid, _child, id) => id),
      },
      print: '"comm=%s pid=%d child_comm=%s child_pid=%d", REC->parent_comm, REC->parent_pid, REC->child_comm, REC->child_pid',
    },
    sched_process_exec: {
      args: ['filename', 'pid', 'old_pid'],
      fields: {
        filename: string((filename) => filename),
        pid: pid((_filename, id) => id),
        old_pid: pid((_filename, _pid, old) => old),
      },
      print: '"filename=%s pid=%d old_pid=%d", __get_str(filename), REC->pid, REC->old_pid',
    },
    sched_process_exit: ofTask,
    sched_process_wait: ofTask,
    sched_process_free: ofTask,
  },
  sources: [switches, wakeups, forks, execs, exits, waits, frees],
});
