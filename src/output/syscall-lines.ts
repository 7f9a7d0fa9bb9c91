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
