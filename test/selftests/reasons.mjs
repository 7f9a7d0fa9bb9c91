/** The folders and tests of test.d that need what fentry has: control files, tracers, filters, events, instances. */
export const FOLDERS = [
  '00basic',
  'dynevent',
  'event',
  'filter',
  'ftrace',
  'instances',
  'kprobe',
  'tracer',
  'trigger/inter-event/trigger-multi-actions-accept.tc',
  'trigger/inter-event/trigger-synthetic-event-createremove.tc',
  'trigger/inter-event/trigger-synthetic-event-syntax.tc',
  'trigger/trigger-filter.tc',
  'trigger/trigger-hist-syntax-errors.tc',
  'trigger/trigger-snapshot.tc',
  'trigger/trigger-stacktrace.tc',
  'trigger/trigger-traceonoff.tc',
  'preemptirq',
  'selftest',
];

const SHELL = 'it traces its own shell, by pid; the shell is not a task of the traced process';

/** Why a test cannot pass. One that passes nevertheless is reported: its line is to go. */
export const REASONS = {
  'event/event-pid.tc': SHELL,
  'event/trace_printk.tc': 'it loads a kernel module',
  'ftrace/func-filter-pid.tc': SHELL,
  'ftrace/func_mod_trace.tc': 'it unloads a kernel module; a text that Node has loaded is never unloaded',
  'selftest/bashisms.tc': 'it tests the tests, and Debian 12’s checkbashisms objects to one of them (kprobe_non_uniq_symbol.tc)',
  'preemptirq/irqsoff_tracer.tc':
    'it needs preemptoff besides irqsoff; nothing preempts JavaScript, so the two would be one tracer',
};
