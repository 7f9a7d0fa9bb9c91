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
  'trigger',
  'preemptirq',
  'selftest',
];

/** Why a test cannot pass. One that passes nevertheless is reported: its line is to go. */
export const REASONS = {
  'ftrace/func_mod_trace.tc': 'it unloads a kernel module; a text that Node has loaded is never unloaded',
  'kprobe/kprobe_args_symbol.tc': 'it reads a variable of the kernel that kallsyms lists; here kallsyms has functions only',
  'selftest/bashisms.tc': 'it tests the tests, and Debian 12’s checkbashisms objects to one of them (kprobe_non_uniq_symbol.tc)',
  'trigger/inter-event/trigger-synthetic-eprobe.tc':
    'it reads the names of files by their addresses, which a variable of a histogram has kept; events have the texts themselves',
};
