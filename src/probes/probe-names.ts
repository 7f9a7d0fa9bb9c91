import type { ProbeCommand } from './probe-command.js';
import type { ProbeKind, WrittenPlace } from './probe-definition.js';

/** Characters of a group's or an event's name, its end included (MAX_EVENT_NAME_LEN). */
const MAX_EVENT_NAME = 64;

/** Whether a name is one of C (is_good_name in kernel/trace/trace.h). */
export const isGoodName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
const isGoodGroup = (name: string): boolean => /^[A-Za-z_-][A-Za-z0-9_-]*$/.test(name);

export interface ProbeEventName {
  readonly group: string | undefined;
  /** Undefined: `GROUP/` alone, the event gets a name of its place. */
  readonly event: string | undefined;
}

/**
 * `[GROUP/]EVENT`; the slash may be a dot (traceprobe_parse_event_name).
 * @param at characters of the word before the text
 */
export function parseEventName(command: ProbeCommand, index: number, text: string, at: number): ProbeEventName {
  const slash = text.includes('/') ? text.indexOf('/') : text.indexOf('.');
  const group = slash < 0 ? undefined : text.slice(0, slash);
  if (group === '') command.refuse('NO_GROUP_NAME', index, at);
  if (group !== undefined && group.length >= MAX_EVENT_NAME) command.refuse('GROUP_TOO_LONG', index, at);
  if (group !== undefined && !isGoodGroup(group)) command.refuse('BAD_GROUP_NAME', index, at);
  const event = text.slice(slash + 1);
  const eventAt = at + slash + 1;
  if (event === '' && group !== undefined) return { group, event: undefined };
  if (event === '') command.refuse('NO_EVENT_NAME', index, eventAt);
  if (event.length >= MAX_EVENT_NAME) command.refuse('EVENT_TOO_LONG', index, eventAt);
  if (!isGoodName(event)) command.refuse('BAD_EVENT_NAME', index, eventAt);
  return { group, event };
}

/** Any text as a name of C. The kernel changes only the characters that its symbols have. */
const asName = (text: string): string => text.replace(/[^A-Za-z0-9_]/g, '_').slice(0, MAX_EVENT_NAME - 1);

/** The part of a file's name that the names of uprobes have. */
const fileTail = (file: string): string => /([^/]*)$/.exec(file)![1]!.split(/[.\-_]/)[0]!;

/** The group of events that name none. */
export const GROUPS: Readonly<Record<ProbeKind, string>> = {
  kprobe: 'kprobes',
  kretprobe: 'kprobes',
  settled: 'kprobes',
  fprobe: 'fprobes',
  fexit: 'fprobes',
  tprobe: 'tracepoints',
  uprobe: 'uprobes',
  uretprobe: 'uprobes',
  eprobe: 'eprobes',
};

/** The name of an event whose line gives it none: `p_SYM_OFFS`, `r_SYM_0`, `SYM__entry`, `p_FILE_0xOFFS`. */
export function defaultEvent(kind: ProbeKind, place: WrittenPlace): string {
  const letter = kind === 'settled' ? 's' : kind === 'kretprobe' ? 'r' : 'p';
  switch (place.kind) {
    case 'symbol': {
      const symbol = place.module === undefined ? place.symbol : `${place.module}:${place.symbol}`;
      if (kind === 'fprobe') return asName(`${symbol}__entry`);
      return asName(kind === 'fexit' ? `${symbol}__exit` : `${letter}_${symbol}_${place.offset}`);
    }
    case 'function line':
      return asName(`${letter}_${place.symbol}_${place.line}`);
    case 'address':
      return asName(`${letter}_0x${BigInt.asUintN(64, BigInt(place.address)).toString(16)}`);
    case 'line':
      return asName(`p_${fileTail(place.file)}_${place.line}`);
    case 'file offset':
      return asName(`p_${fileTail(place.file)}_0x${place.offset.toString(16)}`);
    case 'event':
      return asName(place.event.replace(/^(?=\d)/, '_'));
  }
}
