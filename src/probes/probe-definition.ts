import type { CType } from '../events/c-types.js';

/**
 * What a line of kprobe_events, uprobe_events or dynamic_events defines: a value that the parsers make, and from which the
 * listing, the event's fields and the code that fetches its values follow.
 */

/** Who a probe's line was written to, and what it hears (the first letter: `p`, `r`, `f`, `t`, `e`). */
export const PROBE_KINDS = [
  'kprobe',
  'kretprobe',
  'settled',
  'fprobe',
  'fexit',
  'tprobe',
  'uprobe',
  'uretprobe',
  'eprobe',
] as const;
export type ProbeKind = (typeof PROBE_KINDS)[number];

/** Kinds of probes that hear a function's end, or how what it returned has settled: they have `$retval`. */
export const RETURN_KINDS: readonly ProbeKind[] = ['kretprobe', 'settled', 'fexit', 'uretprobe'];

/** Where a probe stands, as it is written. */
export type WrittenPlace =
  /**
   * `[MOD:]SYM[+OFFS]`; the offset counts source units from the function's start. For `fprobe` and `fexit` the symbol may be a
   * glob.
   */
  | { readonly kind: 'symbol'; readonly module?: string; readonly symbol: string; readonly offset: number }
  /** `SYM:LINE`: a line of a function, 0 its first (perf probe's `func:3`). */
  | { readonly kind: 'function line'; readonly symbol: string; readonly line: number }
  /** An address of text. */
  | { readonly kind: 'address'; readonly address: number }
  /** `FILE:LINE`, counted from 1; the file as the author has it, or the end of its path. */
  | { readonly kind: 'line'; readonly file: string; readonly line: number }
  /** `FILE:0xOFFSET` of uprobe_events: source units from the file's start. */
  | { readonly kind: 'file offset'; readonly file: string; readonly offset: number }
  /** `SYSTEM/EVENT` of an eprobe; of a tprobe the event that its name stands for. */
  | { readonly kind: 'event'; readonly system: string; readonly event: string };

/** How a value is found. A value that is not there, or that a getter or a Proxy guards, is a fault. */
export type Fetch =
  /** `$argN`: the N-th parameter, from 0 here. */
  | { readonly kind: 'argument'; readonly index: number }
  /** The name of a parameter or of a local variable; of a field, in an eprobe (`$NAME`) or a tprobe. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'this' }
  | { readonly kind: 'retval' }
  /** `$status`: `fulfilled` or `rejected`; `$duration`: nanoseconds from the call until then. Where a promise settles. */
  | { readonly kind: 'status' }
  | { readonly kind: 'duration' }
  /** `%NAME`: a register, of machine code. */
  | { readonly kind: 'register'; readonly name: string }
  /**
   * `@ADDR`: an address of memory; `@+OFFS`: that of so many bytes behind the start of the file in which the probe stands. Of
   * machine code.
   */
  | { readonly kind: 'address'; readonly address: bigint }
  | { readonly kind: 'file address'; readonly offset: bigint }
  /** `$stack`: bytes of the stack in use. */
  | { readonly kind: 'stack' }
  /** `$stackN`: the address of the N-th caller, from 0. */
  | { readonly kind: 'stack entry'; readonly index: number }
  | { readonly kind: 'comm' }
  /**
   * `@SYM`: a variable of the module in which the probe stands; of machine code the address of a symbol, and a dereference reads
   * it.
   */
  | { readonly kind: 'symbol'; readonly name: string }
  /** `\IMM` and `\"text"`. */
  | { readonly kind: 'immediate'; readonly value: number | bigint | string }
  /** `.NAME`, `->NAME`, `[N]`, `["NAME"]`: a property. */
  | { readonly kind: 'member'; readonly of: Fetch; readonly name: string }
  /**
   * `+OFFS(FETCH)`, `+uOFFS(FETCH)` and the offset of `@SYM+OFFS`: what lies so many bytes behind the start of a buffer, or so
   * many elements behind that of an array.
   */
  | { readonly kind: 'dereference'; readonly of: Fetch; readonly offset: number };

/** A type of arguments, and how its value is stored and printed. */
interface ProbeTypeRow {
  /** Bytes of one value; of a text those of the field that says where it lies (`__data_loc`). */
  readonly size: number;
  readonly signed: boolean;
  /** The conversion of the print format. */
  readonly format: string;
  /** The C type in the format file: types that differ only in their print format show the same one. */
  readonly shown: CType;
  readonly isText?: boolean;
}

/** The types that an argument may have (`:TYPE`; probe_fetch_types in kernel/trace/trace_probe.c). */
export const PROBE_TYPES = {
  u8: { size: 1, signed: false, format: '%u', shown: 'u8' },
  u16: { size: 2, signed: false, format: '%u', shown: 'u16' },
  u32: { size: 4, signed: false, format: '%u', shown: 'u32' },
  u64: { size: 8, signed: false, format: '%Lu', shown: 'u64' },
  s8: { size: 1, signed: true, format: '%d', shown: 's8' },
  s16: { size: 2, signed: true, format: '%d', shown: 's16' },
  s32: { size: 4, signed: true, format: '%d', shown: 's32' },
  s64: { size: 8, signed: true, format: '%Ld', shown: 's64' },
  x8: { size: 1, signed: false, format: '0x%x', shown: 'u8' },
  x16: { size: 2, signed: false, format: '0x%x', shown: 'u16' },
  x32: { size: 4, signed: false, format: '0x%x', shown: 'u32' },
  x64: { size: 8, signed: false, format: '0x%Lx', shown: 'u64' },
  char: { size: 1, signed: false, format: "'%c'", shown: 'u8' },
  /** A function's address, shown as its symbol. */
  symbol: { size: 8, signed: false, format: '%pS', shown: 'u64' },
  /** Text up to its first zero character; of a buffer its bytes as UTF-8. */
  string: { size: 4, signed: true, format: '\\"%s\\"', shown: 'char', isText: true },
  ustring: { size: 4, signed: true, format: '\\"%s\\"', shown: 'char', isText: true },
  /** The symbol of a function or an address, as text. */
  symstr: { size: 4, signed: true, format: '\\"%s\\"', shown: 'char', isText: true },
  /** What a JavaScript value without a type has: any value as text, as func-args shows it. fentry's own. */
  value: { size: 4, signed: true, format: '%s', shown: 'char', isText: true },
} as const satisfies Readonly<Record<string, ProbeTypeRow>>;
export type ProbeTypeName = keyof typeof PROBE_TYPES;

export const rowOf = (name: ProbeTypeName): ProbeTypeRow => PROBE_TYPES[name];

export interface ProbeType {
  readonly name: ProbeTypeName;
  /** Elements of an array, `TYPE[N]`. */
  readonly count?: number;
  /** `b<width>@<offset>/<size>`: so many bits; the type is the unsigned one of that size. */
  readonly bits?: { readonly width: number; readonly offset: number };
}

/** One FETCHARG. */
export interface ProbeArgument {
  readonly name: string;
  /** The text behind `NAME=`, with its type, as the listing shows it. */
  readonly text: string;
  readonly fetch: Fetch;
  readonly type: ProbeType;
  /** No type was written, and the variable has one: that of machine code. */
  readonly takesType?: true;
}

/** A probe event, as it is written. */
export interface ProbeDefinition {
  readonly kind: ProbeKind;
  readonly group: string;
  readonly event: string;
  readonly place: WrittenPlace;
  /** `rN`: how many calls of the function may be under way at a time and still be seen; 0: any number. */
  readonly maxactive: number;
  readonly args: readonly ProbeArgument[];
  /** The filter of an eprobe, behind `if`. */
  readonly filter?: string;
}

/** Whether any of the values is a text. */
export const needsText = (args: readonly ProbeArgument[]): boolean => args.some(({ type }) => rowOf(type.name).isText === true);

/** Whether a probe stores symbols as text. */
export const needsSymbols = ({ args }: Pick<ProbeDefinition, 'args'>): boolean => args.some(({ type }) => type.name === 'symstr');
