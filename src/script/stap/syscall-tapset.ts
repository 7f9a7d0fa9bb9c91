import type { ScriptTarget, TargetEvent, TargetField } from '../target.js';

/** The system of the events of system calls, and what stands before the name of a call in theirs. */
export const SYSCALLS = { system: 'syscalls', enter: 'sys_enter_', exit: 'sys_exit_' } as const;

/** What a record of these events has besides the arguments of the call; `req` is the same at both ends of one call. */
const COMMON: ReadonlySet<string> = new Set(['__syscall_nr', 'req']);

/** The fields of an event at the entry of a call that are arguments of the call. */
export const syscallArguments = ({ fields }: TargetEvent): readonly TargetField[] =>
  fields.filter(({ name }) => !COMMON.has(name));

/** Calls that programs make by another one here. */
const OTHER_NAMES: Readonly<Record<string, string>> = { open: 'openat', accept: 'accept4', stat: 'statx', creat: 'openat' };

/** How `argstr` shows an argument, by its name; others by their type. */
const SHOWN: Readonly<Record<string, (field: string) => string>> = {
  flags: (field) => `sprintf("%#x", ${field})`,
  mode: (field) => `sprintf("%#o", ${field})`,
  dfd: (field) => `folder_text(${field})`,
};

/** Arguments that are the address of a socket: `127.0.0.1:80`, `[::1]:80`, or the path of one. */
const ADDRESSES: ReadonlySet<string> = new Set(['uservaddr', 'umyaddr', 'upeer_sockaddr']);
const addressParts = (value: string): string =>
  `; uaddr_af = address_family(${value}); uaddr_ip = address_part(${value}, 1)
  uaddr_ip_port = address_part(${value}, 2)`;

/** Variables of other names than their fields: the script's arguments are in `argv`. */
const NAMES: Readonly<Record<string, string>> = { argv: 'args', argc: 'arg_count' };
const variableOf = ({ name }: TargetField): string => NAMES[name] ?? name;

function shown(field: TargetField): string {
  const name = variableOf(field);
  return field.isText ? name : (SHOWN[name]?.(name) ?? `sprint(${/^fd$/.test(name) ? `${name} << 32 >> 32` : name})`);
}

/** The arguments of a call that opens a file: the mode only of one that may make it, the folder only where the alias has one. */
const openText = (alias: string): string =>
  `${alias === 'openat' ? 'folder_text(dfd) . ", " . ' : ''}filename . ", " . open_text(flags, mode)`;

/** The aliases of one call: at its entry the arguments by name, and `argstr`; at its end `retval`, `retstr`. */
function aliases(alias: string, name: string, event: TargetEvent): string {
  const { system, enter, exit } = SYSCALLS;
  const args = syscallArguments(event);
  const assigned = args.map((field) => {
    const [variable, value] = [variableOf(field), `$${field.name}`];
    const quoted = `${variable} = user_string_quoted(${value}); ${variable}_unquoted = user_string(${value})`;
    const text = ADDRESSES.has(field.name) ? quoted + addressParts(value) : quoted;
    return field.isText ? text : `${variable} = ${value}`;
  });
  const opens = ['flags', 'mode'].every((one) => args.some((field) => field.name === one)) && name === 'openat';
  const text = opens ? openText(alias) : args.map(shown).join(' . ", " . ');
  return ['syscall', 'nd_syscall']
    .map(
      (first) => `probe ${first}.${alias} = kernel.trace("${system}:${enter}${name}") {
  name = "${alias}"
  ${assigned.join('\n  ')}
  argstr = ${text === '' ? '""' : text}
}
probe ${first}.${alias}.return = kernel.trace("${system}:${exit}${name}") {
  name = "${alias}"
  retval = $ret
  retstr = return_str(1, $ret)
}
`,
    )
    .join('');
}

/**
 * The aliases `syscall.NAME` and `nd_syscall.NAME`, with `.return`, of the calls whose events the process has (tapset::syscalls
 * in SystemTap), as a tapset's text.
 */
export function syscallTapset(target: Pick<ScriptTarget, 'events'>): string {
  const { system, enter } = SYSCALLS;
  const all = target.events(system, `${enter}*`);
  const named = new Map(all.map((event) => [event.name.slice(enter.length), event]));
  const own = [...named].map(([name, event]) => aliases(name, name, event));
  const others = Object.entries(OTHER_NAMES).flatMap(([alias, name]) => {
    const event = named.has(alias) ? undefined : named.get(name);
    return event === undefined ? [] : [aliases(alias, name, event)];
  });
  return `${[...own, ...others].join('')}probe syscall_any = syscall.* { syscall_nr = $__syscall_nr }
probe syscall_any.return = syscall.*.return { syscall_nr = $__syscall_nr }
`;
}
