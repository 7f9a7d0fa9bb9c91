const NO_MEMORY = 'it reads the memory of the kernel, and a program of JavaScript has no addresses to read: $x->y reads a member';
const NO_KERNEL = 'it asks the kernel, and a script asks the program only';
const NO_CHANGE = 'a script changes nothing';
const NO_TERMINAL = 'it is a game’s';

/** Functions of SystemTap's tapsets that have no meaning for a program, or that no script may call, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  system: `${NO_CHANGE} and starts no command: print what is to be done`,
  panic: NO_CHANGE,
  raise: NO_CHANGE,
  delay: NO_CHANGE,
  mdelay: NO_CHANGE,
  udelay: NO_CHANGE,
  switch_file: 'the output of a script is one stream: fentry stap -o FILE writes it to a file',
  task_open_file_handles: `${NO_KERNEL}: list /proc/PID/fd`,
  task_max_file_handles: `${NO_KERNEL}: see /proc/PID/limits`,
  task_dentry_path: NO_MEMORY,
  task_cwd_path: NO_MEMORY,
  fullpath_struct_file: NO_MEMORY,
  fullpath_struct_path: NO_MEMORY,
  usymfileline: 'a function is found by its name: usymname(uaddr()), or print_ubacktrace()',
  usymline: 'a function is found by its name: usymname(uaddr())',
  symfileline: 'a function is found by its name: symname(addr())',
  symline: 'a function is found by its name: symname(addr())',
  symfile: 'a function is found by its name: symname(addr())',
  game_tty_ws_row: NO_TERMINAL,
  cursor_cls: NO_TERMINAL,
  inet_get_ip_source: `${NO_MEMORY}. kernel.trace("sock:inet_sock_set_state") has addresses`,
  inet_get_local_port: `${NO_MEMORY}. kernel.trace("sock:inet_sock_set_state") has ports`,
};
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/^(?:kernel|user|set_kernel|set_user)_(?:char|short|int|long|u?int\d+|pointer|buffer_\w+)$/, NO_MEMORY],
  [/^(?:set_)?u?(?:int|long|longlong|s32|u32|s64|u64|pointer)_arg$/, 'arguments are variables here: $name, or $$parms for all'],
  [/^(?:game_|input_|bg_|fg_)/, NO_TERMINAL],
  [/^(?:rlimit_from_str|get_loadavg_index|sprint_loadavg|addr_to_\w+|proc_mem_\w+)$/, NO_KERNEL],
  [/^(?:register|probe_register|u_register|fp\w*)$/, 'there are no registers in JavaScript'],
];

/** Why a function of SystemTap's is not there, as a sentence; undefined: there is no such function. */
export const whyRefused = (name: string): string | undefined =>
  Object.hasOwn(REFUSED, name) ? REFUSED[name] : BY_NAME.find(([names]) => names.test(name))?.[1];
