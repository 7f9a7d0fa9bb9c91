import { defineEvent, type EventDefinition } from '../../src/events/define.js';
import { array, one } from '../../src/events/fields.js';

const COMM = array('char', 16);
const declared = { hasId: true, hasTrigger: true } as const;

/** Some of the real kernel's events, of which the scripts speak. */
export const KERNEL_EVENTS: readonly EventDefinition[] = [
  defineEvent('sched', 'sched_switch', {
    fields: {
      prev_comm: COMM,
      prev_pid: one('pid_t'),
      prev_prio: one('int'),
      prev_state: one('long'),
      next_comm: COMM,
      next_pid: one('pid_t'),
      next_prio: one('int'),
    },
    print:
      '"prev_comm=%s prev_pid=%d ==> next_comm=%s next_pid=%d", REC->prev_comm, REC->prev_pid, REC->next_comm, REC->next_pid',
    ...declared,
  }),
  ...['sched_wakeup', 'sched_waking'].map((name) =>
    defineEvent('sched', name, {
      fields: { comm: COMM, pid: one('pid_t'), prio: one('int'), target_cpu: one('int') },
      print: '"comm=%s pid=%d prio=%d target_cpu=%03d", REC->comm, REC->pid, REC->prio, REC->target_cpu',
      ...declared,
    }),
  ),
];
