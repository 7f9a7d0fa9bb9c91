/** A variable of a tracepoint, as the kernel's probe point has it. */
export interface TracepointArgument {
  readonly type: string;
  /** The field that has its value. A task is named by its pid. */
  readonly field: string;
  /** Fields of what it points to. */
  readonly members?: Readonly<Record<string, string>>;
}

/** In the place of a field: the member is 0. */
export const ZERO = '0';

const task = (prefix: string): Readonly<Record<string, string>> => ({
  pid: `${prefix}pid`,
  tgid: `${prefix}pid`,
  comm: `${prefix}comm`,
  prio: `${prefix}prio`,
  // No disk is waited for here: a context that waits for a file sleeps.
  in_iowait: ZERO,
});
const TASK = 'struct task_struct*';

/** What the event's own fields are the task of. */
const WOKEN = { p: { type: TASK, field: 'pid', members: task('') } };

/**
 * The variables of the kernel's tracepoints whose events have other fields (include/trace/events of Linux 6.1). Those of all
 * others are the fields of their event.
 */
export const TRACEPOINT_ARGUMENTS: Readonly<Record<string, Readonly<Record<string, TracepointArgument>>>> = {
  'irq:softirq_entry': { vec_nr: { type: 'unsigned int', field: 'vec' } },
  'irq:softirq_exit': { vec_nr: { type: 'unsigned int', field: 'vec' } },
  'irq:softirq_raise': { vec_nr: { type: 'unsigned int', field: 'vec' } },
  'irq:irq_handler_entry': {
    irq: { type: 'int', field: 'irq' },
    action: { type: 'struct irqaction*', field: 'name', members: { name: 'name' } },
  },
  'irq:irq_handler_exit': {
    irq: { type: 'int', field: 'irq' },
    ret: { type: 'int', field: 'ret' },
  },
  'sched:sched_switch': {
    prev: { type: TASK, field: 'prev_pid', members: { ...task('prev_'), __state: 'prev_state', state: 'prev_state' } },
    next: { type: TASK, field: 'next_pid', members: task('next_') },
  },
  'sched:sched_wakeup': WOKEN,
  'sched:sched_wakeup_new': WOKEN,
  'sched:sched_waking': WOKEN,
  'sched:sched_process_exit': WOKEN,
  'sched:sched_process_free': WOKEN,
  'sched:sched_process_fork': {
    parent: { type: TASK, field: 'parent_pid', members: { pid: 'parent_pid', tgid: 'parent_pid', comm: 'parent_comm' } },
    child: { type: TASK, field: 'child_pid', members: { pid: 'child_pid', tgid: 'child_pid', comm: 'child_comm' } },
  },
};
