/** The folders of test.d whose tests need what fentry has: control files, tracers, filters, instances. */
export const FOLDERS = ['00basic', 'ftrace', 'instances', 'tracer', 'preemptirq', 'selftest'];

const EVENTS = 'it needs the scheduler’s events, and fentry has only the events of its tracers';

/** Why a test cannot pass. One that passes nevertheless is reported: its line is to go. */
export const REASONS = {
  '00basic/basic4.tc': EVENTS,
  'ftrace/func-filter-pid.tc': 'it traces its own shell, by pid; the shell is not a task of the traced process',
  'ftrace/func_event_triggers.tc': EVENTS,
  'ftrace/func_mod_trace.tc': 'it unloads a kernel module; a text that Node has loaded is never unloaded',
  'ftrace/func_traceonoff_triggers.tc': EVENTS,
  'ftrace/tracing-error-log.tc': 'it needs signal_generate’s filter, and fentry has only the events of its tracers',
  'selftest/bashisms.tc': 'it tests the tests, and Debian 12’s checkbashisms objects to one of them (kprobe_non_uniq_symbol.tc)',
  'preemptirq/irqsoff_tracer.tc':
    'it needs preemptoff besides irqsoff; nothing preempts JavaScript, so the two would be one tracer',
};
