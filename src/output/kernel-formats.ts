import type { EventFormat } from '../events/define.js';

const SYSTEM = 'syscalls';
const NAME = /^sys_(enter|exit)_(.+)$/;
/** Fields that the line does not show: the call's number, and what tells which exit belongs to which entry. */
const HIDDEN: ReadonlySet<string> = new Set(['__syscall_nr', 'req']);

/**
 * A system call's event with the print format of its line in `trace`: `sys_openat(dfd: ffffff9c, filename: "/etc/hosts")`,
 * `sys_openat -> 0x3` (print_syscall_enter and print_syscall_exit in kernel/trace/trace_syscalls.c); undefined for other events.
 */
export function asSyscallLine(event: EventFormat): EventFormat | undefined {
  const [, kind, name] = (event.system === SYSTEM && NAME.exec(event.name)) || [];
  if (kind === 'exit') return { ...event, print: `"sys_${name} -> 0x%lx", REC->ret` };
  if (kind === undefined) return undefined;
  const shown = Object.entries(event.fields).filter(([field]) => !HIDDEN.has(field));
  const isText = (type: string): boolean => type.startsWith('__data_loc');
  const format = shown.map(([field, { type }]) => `${field}: ${isText(type) ? '\\"%s\\"' : '%lx'}`).join(', ');
  const values = shown.map(([field, { type }]) => (isText(type) ? `__get_str(${field})` : `REC->${field}`));
  return { ...event, print: [`"sys_${name}(${format})"`, ...values].join(', ') };
}

/** What `trace` shows before the arguments of a probe, in the place of the head of its print format. */
const HEADS: readonly (readonly [head: RegExp, shown: string, values: readonly [written: string, shown: string]])[] = [
  [/^"\(%lx <- %lx\)/, '"(%pS <- %ps)', [', REC->__probe_func, REC->__probe_ret_ip', ', REC->__probe_ret_ip, REC->__probe_func']],
  [/^"\(%lx\)/, '"(%pS)', ['', '']],
];

const isProbe = ({ fields, attached }: EventFormat): boolean =>
  attached !== undefined || '__probe_ip' in fields || '__probe_func' in fields;

/**
 * A probe's event with the print format of its line in `trace`: `(handle+0x0/0x1b) id=7`, `(serve+0x8/0x40 <- handle) ret=1`,
 * `(sched.sched_switch) pid=3`; a text that could not be fetched is `(fault)` (print_kprobe_event and its siblings in
 * kernel/trace). Of a uprobe the kernel shows the address alone, as it has no symbols of programs. Undefined for other events.
 */
export function asProbeLine(event: EventFormat): EventFormat | undefined {
  if (!isProbe(event)) return undefined;
  const { print, attached } = event;
  const [head, shown, [written, values]] = HEADS.find(([found]) => found.test(print)) ?? [/^"/, `"(${attached})`, ['', '']];
  const end = /^"(?:[^"\\]|\\.)*"/.exec(print)?.[0].length ?? 0;
  const format = print.slice(0, end).replace(head, shown);
  const texts = print
    .slice(end)
    .replace(written, values)
    .replace(/__get_str\((\w+)((?:\[\d+\])?)\)/g, (_, name: string, index: string) =>
      new RegExp(` ${name}=\\{?\\\\"`).test(format) ? `__probe_str(${name}${index})` : `__probe_value(${name}${index})`,
    );
  return { ...event, print: format.replaceAll('\\"%s\\"', '%s') + texts };
}
