import { type Errno, TraceError } from '../base/errno.js';

/**
 * What a line is refused for, in the kernel's words: those of Linux 6.1 (ERRORS in kernel/trace/trace_probe.h) but for some that
 * say more.
 */
export const PROBE_ERRORS = {
  FILE_NOT_FOUND: 'Failed to find the given file',
  NO_REGULAR_FILE: 'Not a regular file',
  BAD_REFCNT: 'Invalid reference counter offset',
  REFCNT_OPEN_BRACE: 'Reference counter brace is not closed',
  BAD_REFCNT_SUFFIX: 'Reference counter has wrong suffix',
  BAD_UPROBE_OFFS: 'Invalid uprobe offset',
  MAXACT_NO_KPROBE: 'Maxactive is not for kprobe',
  BAD_MAXACT: 'Invalid maxactive number',
  MAXACT_TOO_BIG: 'Maxactive is too big',
  BAD_PROBE_ADDR: 'Invalid probed address or symbol',
  NON_UNIQ_SYMBOL: 'The symbol is not unique',
  BAD_RETPROBE: 'Retprobe address must be an function entry',
  /** Linux 6.5, for `t`. */
  NO_TRACEPOINT: 'Tracepoint is not found',
  /** Linux 6.5, for `t`. */
  BAD_TP_NAME: 'Invalid character in tracepoint name',
  BAD_ADDR_SUFFIX: 'Invalid probed address suffix',
  NO_GROUP_NAME: 'Group name is not specified',
  GROUP_TOO_LONG: 'Group name is too long',
  BAD_GROUP_NAME: 'Group name must follow the same rules as C identifiers',
  NO_EVENT_NAME: 'Event name is not specified',
  EVENT_TOO_LONG: 'Event name is too long',
  BAD_EVENT_NAME: 'Event name must follow the same rules as C identifiers',
  EVENT_EXIST: 'Given group/event name is already used by another event',
  RETVAL_ON_PROBE: '$retval is not available on probe',
  BAD_STACK_NUM: 'Invalid stack number',
  BAD_ARG_NUM: 'Invalid argument number',
  BAD_VAR: 'Invalid $-variable specified',
  BAD_REG_NAME: 'Invalid register name',
  BAD_MEM_ADDR: 'Invalid memory address',
  BAD_IMM: 'Invalid immediate value',
  IMMSTR_NO_CLOSE: "String is not closed with '\"'",
  FILE_ON_KPROBE: 'File offset is not available with kprobe',
  BAD_FILE_OFFS: 'Invalid file offset value',
  SYM_ON_UPROBE: 'Symbol is not available with uprobe',
  TOO_MANY_OPS: 'Dereference is too much nested',
  DEREF_NEED_BRACE: 'Dereference needs a brace',
  BAD_DEREF_OFFS: 'Invalid dereference offset',
  DEREF_OPEN_BRACE: 'Dereference brace is not closed',
  COMM_CANT_DEREF: '$comm can not be dereferenced',
  BAD_FETCH_ARG: 'Invalid fetch argument',
  ARRAY_NO_CLOSE: 'Array is not closed',
  BAD_ARRAY_SUFFIX: 'Array has wrong suffix',
  BAD_ARRAY_NUM: 'Invalid array size',
  ARRAY_TOO_BIG: 'Array number is too big',
  BAD_TYPE: 'Unknown type is specified',
  BAD_STRING: 'String accepts only memory argument',
  BAD_SYMSTRING: "Symbol String doesn't accept data/userdata",
  BAD_BITFIELD: 'Invalid bitfield',
  ARG_NAME_TOO_LONG: 'Argument name is too long',
  NO_ARG_NAME: 'Argument name is not specified',
  BAD_ARG_NAME: 'Argument name must follow the same rules as C identifiers',
  USED_ARG_NAME: 'This argument name is already used',
  ARG_TOO_LONG: 'Argument expression is too long',
  NO_ARG_BODY: 'No argument expression',
  /** Linux 6.12; 6.1 ignores what is too much. */
  TOO_MANY_ARGS: 'Too many arguments are specified',
  BAD_INSN_BNDRY: 'Probe point is not an instruction boundary',
  FAIL_REG_PROBE: 'Failed to register probe event',
  DIFF_PROBE_TYPE: 'Probe type is different from existing probe',
  DIFF_ARG_TYPE: 'Argument type or name is different from existing probe',
  SAME_PROBE: 'There is already the exact same probe event',
  NO_EVENT_INFO: 'This requires both group and event name to attach',
  BAD_ATTACH_EVENT: 'Attached event does not exist',
  BAD_ATTACH_ARG: 'Attached event does not have this field',
  NO_EP_FILTER: "No filter rule after 'if'",
  EVENT_TOO_BIG: 'Event too big (too many fields?)',
  /** Linux 6.5, for `$arg*`. */
  NOFENTRY_ARGS: '$arg* can be used only on function entry',
  /** Linux 6.5, for `$arg*`. */
  DOUBLE_ARGS: '$arg* can be used only once in the parameters',
  /** Linux 6.5, for `$arg*`. */
  NO_BTF_ENTRY: 'No BTF entry for this probe point',
  /** Linux 6.8; 6.1 refuses the line without a text. */
  NEED_STRING_TYPE: '$comm and immediate-string only accepts string type',
} as const;

export type ProbeErrorName = keyof typeof PROBE_ERRORS;

/** Refusals whose errno is not EINVAL; ERANGE comes from numbers beyond 64 bits. */
const ERRNOS: Readonly<Partial<Record<ProbeErrorName, Errno>>> = {
  FILE_NOT_FOUND: 'ENOENT',
  NON_UNIQ_SYMBOL: 'EADDRNOTAVAIL',
  NO_TRACEPOINT: 'ENOENT',
  NO_BTF_ENTRY: 'ENOENT',
  EVENT_EXIST: 'EEXIST',
  BAD_INSN_BNDRY: 'EILSEQ',
  DIFF_PROBE_TYPE: 'EEXIST',
  DIFF_ARG_TYPE: 'EEXIST',
  SAME_PROBE: 'EEXIST',
  BAD_ATTACH_EVENT: 'ENODEV',
  BAD_ATTACH_ARG: 'ENOENT',
  TOO_MANY_ARGS: 'E2BIG',
  EVENT_TOO_BIG: 'E2BIG',
};

export const errnoOf = (error: ProbeErrorName): Errno => ERRNOS[error] ?? 'EINVAL';

/** Whose line was refused: what stands before `error:` in error_log. */
export type ProbeLocation = 'trace_kprobe' | 'trace_uprobe' | 'trace_fprobe' | 'event_probe' | 'event filter parse error';

/** A refused line, with what error_log shows of it. */
export class ProbeError extends TraceError {
  readonly location: ProbeLocation;
  readonly text: string;
  /** The line as error_log shows it: its words, one blank between them. */
  readonly command: string;
  /** Bytes before the caret. */
  readonly position: number;
  /** What error_log shows before it: the kernel notes some mistakes twice. */
  earlier: ProbeError | undefined;

  constructor(errno: Errno, location: ProbeLocation, text: string, command: string, position: number) {
    super(errno, `${location}: ${text}`);
    this.location = location;
    this.text = text;
    this.command = command;
    this.position = position;
  }
}

/** Why the process cannot have a probe: where in the line the caret stands is the registry's business. */
export class ProbeRefusal extends TraceError {
  readonly error: ProbeErrorName;
  /** The index of the argument that is refused; undefined: the place. */
  readonly argument: number | undefined;
  /** What error_log says behind the kernel's text. */
  readonly detail: string;

  constructor(error: ProbeErrorName, detail = '', argument?: number, errno: Errno = errnoOf(error)) {
    super(errno, `${PROBE_ERRORS[error]}${detail === '' ? '' : `: ${detail}`}`);
    this.error = error;
    this.argument = argument;
    this.detail = detail;
  }
}
