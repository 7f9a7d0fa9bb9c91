/**
 * What a line of kprobe_events, uprobe_events or dynamic_events defines: a value that the parsers make, and from which the listing, the
 * event's fields and the code that fetches its values follow.
 */

/** Who a probe's line was written to, and what it hears (the first letter: `p`, `r`, `f`, `t`, `e`). */
export const PROBE_KINDS = ['kprobe', 'kretprobe', 'fprobe', 'fexit', 'tprobe', 'uprobe', 'uretprobe', 'eprobe'] as const;
export type ProbeKind = (typeof PROBE_KINDS)[number];

/** Those that hear a function's end: they have `$retval`. */
export const RETURN_KINDS: readonly ProbeKind[] = ['kretprobe', 'fexit', 'uretprobe'];

/** Where a probe stands, as it is written. */
export type ProbePlace =
  /** `[MOD:]SYM[+OFFS]`; the offset counts source units from the function's start. For `fprobe` and `fexit` the symbol may be a glob. */
  | { readonly kind: 'symbol'; readonly module?: string; readonly symbol: string; readonly offset: number }
  /** `SYM:LINE`: a line of a function, 0 its first (perf probe's `func:3`). */
  | { readonly kind: 'function line'; readonly symbol: string; readonly line: number }
  /** An address of text. */
  | { readonly kind: 'address'; readonly address: number }
  /** `FILE:LINE`, counted from 1; the file as the author has it, or the end of its path. */
  | { readonly kind: 'line'; readonly file: string; readonly line: number }
  /** `FILE:0xOFFSET` of uprobe_events: source units from the file's start. */
  | { readonly kind: 'file offset'; readonly file: string; readonly offset: number }
  /** `SYSTEM/EVENT` of an eprobe; `t` names the tracepoint. */
  | { readonly kind: 'event'; readonly system: string; readonly event: string };

/** How a value is found. A value that is not there, or that a getter or a Proxy guards, is a fault. */
export type Fetch =
  /** `$argN`: the N-th parameter, from 0 here. */
  | { readonly kind: 'argument'; readonly index: number }
  /** The name of a parameter or of a local variable; of a field, in an eprobe or a tprobe. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'this' }
  | { readonly kind: 'retval' }
  /** `$stack`: bytes of the stack in use. */
  | { readonly kind: 'stack' }
  /** `$stackN`: the address of the N-th caller, from 0. */
  | { readonly kind: 'stack entry'; readonly index: number }
  | { readonly kind: 'comm' }
  /** `@SYM[+OFFS]`: a variable of the module in which the probe stands. */
  | { readonly kind: 'symbol'; readonly name: string; readonly offset: number }
  /** `\IMM` and `\"text"`. */
  | { readonly kind: 'immediate'; readonly value: number | bigint | string }
  /** `.NAME`, `->NAME`, `[N]`: a property. */
  | { readonly kind: 'member'; readonly of: Fetch; readonly name: string }
  /** `+OFFS(FETCH)` and `+uOFFS(FETCH)`: what lies so many bytes behind the start of a buffer, or so many elements behind that of an array. */
  | { readonly kind: 'dereference'; readonly of: Fetch; readonly offset: number };

/** The types that an argument may have (`:TYPE`), and how its value is printed. */
export const PROBE_TYPES = {
  u8: { size: 1, signed: false, format: '%u' },
  u16: { size: 2, signed: false, format: '%u' },
  u32: { size: 4, signed: false, format: '%u' },
  u64: { size: 8, signed: false, format: '%Lu' },
  s8: { size: 1, signed: true, format: '%d' },
  s16: { size: 2, signed: true, format: '%d' },
  s32: { size: 4, signed: true, format: '%d' },
  s64: { size: 8, signed: true, format: '%Ld' },
  x8: { size: 1, signed: false, format: '0x%x' },
  x16: { size: 2, signed: false, format: '0x%x' },
  x32: { size: 4, signed: false, format: '0x%x' },
  x64: { size: 8, signed: false, format: '0x%Lx' },
  char: { size: 1, signed: true, format: "'%c'" },
  /** A function's address, shown as its symbol. */
  symbol: { size: 8, signed: false, format: '%pS' },
  /** Text up to its first zero character; of a buffer its bytes as UTF-8. */
  string: { size: 0, signed: false, format: '\\"%s\\"' },
  ustring: { size: 0, signed: false, format: '\\"%s\\"' },
  /** What an argument without a type has: any value as text, as func-args shows it. fentry's own. */
  value: { size: 0, signed: false, format: '%s' },
} as const satisfies Readonly<Record<string, { readonly size: number; readonly signed: boolean; readonly format: string }>>;
export type ProbeTypeName = keyof typeof PROBE_TYPES;

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
  /** The text behind `NAME=`, as the listing shows it. */
  readonly text: string;
  readonly fetch: Fetch;
  readonly type: ProbeType;
}

/** A probe event, as it is written. */
export interface ProbeDefinition {
  readonly kind: ProbeKind;
  readonly group: string;
  readonly event: string;
  readonly place: ProbePlace;
  /** `rN`: how many calls of the function may be under way at a time and still be seen; 0: any number. */
  readonly maxactive: number;
  readonly args: readonly ProbeArgument[];
  /** The filter of an eprobe, behind `if`. */
  readonly filter?: string;
}
