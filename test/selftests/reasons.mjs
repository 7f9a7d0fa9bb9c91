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

const SHELL = 'it traces its own shell, by pid; the shell is not a task of the traced process';
const REGISTERS = 'it fetches registers; JavaScript has none';

/** Why a test cannot pass. One that passes nevertheless is reported: its line is to go. */
export const REASONS = {
  'dynevent/add_remove_eprobe.tc': 'it needs the system call chdir as an event; Node tells only of those on files',
  'event/event-pid.tc': SHELL,
  'event/trace_printk.tc': 'it loads a kernel module',
  'ftrace/func-filter-pid.tc': SHELL,
  'ftrace/func_mod_trace.tc': 'it unloads a kernel module; a text that Node has loaded is never unloaded',
  'kprobe/kprobe_args_string.tc': REGISTERS,
  'kprobe/kprobe_args_symbol.tc': 'it reads a variable of the kernel that kallsyms lists; here kallsyms has functions only',
  'kprobe/kprobe_args_syntax.tc': REGISTERS,
  'kprobe/kprobe_module.tc': 'it loads a kernel module',
  'selftest/bashisms.tc': 'it tests the tests, and Debian 12’s checkbashisms objects to one of them (kprobe_non_uniq_symbol.tc)',
  'trigger/inter-event/trigger-synthetic-eprobe.tc':
    'it reads the file names of an ls of its own, by their addresses; ls is not a task of the traced process, and events have the texts',
  'trigger/trigger-hist-mod.tc': 'it looks for its own shell’s pid; the shell is not a task of the traced process',
  'trigger/trigger-trace-marker-synthetic-kernel.tc':
    'it waits until its own shell is woken; the shell is not a task of the traced process',
  'preemptirq/irqsoff_tracer.tc':
    'it needs preemptoff besides irqsoff; nothing preempts JavaScript, so the two would be one tracer',
};
