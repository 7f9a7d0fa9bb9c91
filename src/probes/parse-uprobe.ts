import type { TraceError } from '../base/errno.js';
import { kstrtoul } from '../base/kstrto.js';
import { expandArguments, parseArguments } from './parse-arguments.js';
import type { FetchScope } from './parse-fetch.js';
import { ProbeCommand } from './probe-command.js';
import type { ProbeDefinition, WrittenPlace } from './probe-definition.js';
import { defaultEvent, GROUPS, parseEventName } from './probe-names.js';
import type { ProbeNeeds } from './probe-needs.js';
import { isSourcePath } from './source-name.js';

/** The word of a line that says where its probe stands. */
const PLACE = 1;
const RETURN = '%return';

interface ParsedPlace {
  readonly place: WrittenPlace;
  readonly isReturn: boolean;
}

/** `FILE:OFFSET[%return][(REF_CTR_OFFSET)]` and `FILE:LINE`; undefined for a word that is none. */
function parsePlace(command: ProbeCommand, env: ProbeNeeds): ParsedPlace | undefined {
  const word = command.words[PLACE]!;
  const [, file] = /^(.*):\d[^:]*$/s.exec(word) ?? [];
  // The kernel needs a path. A source is found by its name too.
  if (file === undefined || !(word.includes('/') || isSourcePath(file))) return undefined;
  const found = env.file(file);
  if (found === 'other') command.refuse('NO_REGULAR_FILE', PLACE);
  if (found !== 'regular') command.refuse('FILE_NOT_FOUND', PLACE, 0, { errno: found as Exclude<typeof found, 'other'> });
  const at = file.length + 1;
  const isMachineCode = env.registersAt?.({ kind: 'file offset', file, offset: 0 }) !== undefined;
  const text = withoutCounter(command, word.slice(at), at, isMachineCode);
  const percent = text.indexOf('%');
  const isReturn = percent >= 0;
  if (isReturn && text.slice(percent) !== RETURN) command.refuse('BAD_ADDR_SUFFIX', PLACE, at + percent);
  const digits = isReturn ? text.slice(0, percent) : text;
  return { place: placeOf(command, file, digits, at, isMachineCode), isReturn };
}

/** There are no reference counters: where its form is right, the counter itself is refused. */
function withoutCounter(command: ProbeCommand, text: string, at: number, isMachineCode: boolean): string {
  const open = text.indexOf('(');
  if (open < 0) return text;
  const close = text.indexOf(')', open);
  if (close < 0) command.refuse('REFCNT_OPEN_BRACE', PLACE, at + text.length);
  if (close < text.length - 1) command.refuse('BAD_REFCNT_SUFFIX', PLACE, at + close + 1);
  numberOf(command, text.slice(open + 1, close), 'BAD_REFCNT', at + open + 1);
  const detail = isMachineCode
    ? 'fentry does not count in the semaphores of a program'
    : 'a file of JavaScript has no semaphores that count its probes';
  return command.refuse('BAD_REFCNT', PLACE, at + open + 1, { detail });
}

function numberOf(command: ProbeCommand, text: string, error: 'BAD_REFCNT' | 'BAD_UPROBE_OFFS', at: number): bigint {
  try {
    return kstrtoul(text);
  } catch (thrown) {
    return command.refuse(error, PLACE, at, { errno: (thrown as TraceError).errno });
  }
}

/** A decimal number is a line of a source, and one with `0x` an offset; an object has only offsets. */
function placeOf(command: ProbeCommand, file: string, digits: string, at: number, isMachineCode: boolean): WrittenPlace {
  const number = Number(numberOf(command, digits, 'BAD_UPROBE_OFFS', at));
  return (!isMachineCode || isSourcePath(file)) && /^[1-9]/.test(digits)
    ? { kind: 'line', file, line: number }
    : { kind: 'file offset', file, offset: number };
}

/**
 * `p|r[:[GRP/][EVENT]] PLACE [FETCHARGS]` (__trace_uprobe_create in kernel/trace/trace_uprobe.c).
 * @returns undefined for a line of another kind
 * @throws ProbeError
 */
export function parseUprobe(words: readonly string[], env: ProbeNeeds): ProbeDefinition | undefined {
  const [head = ''] = words;
  if (!/^[pr]/.test(head) || words.length < 2) return undefined;
  const command = new ProbeCommand('trace_uprobe', words);
  const parsed = parsePlace(command, env);
  if (parsed === undefined) return undefined;
  const { place } = parsed;
  const kind = head.startsWith('r') || parsed.isReturn ? 'uretprobe' : 'uprobe';
  const names = head[1] === ':' ? parseEventName(command, 0, head.slice(2), 2) : { group: undefined, event: undefined };
  const { group = GROUPS[kind], event = defaultEvent(kind, place) } = names;
  const isReturn = kind === 'uretprobe';
  const scope: FetchScope = { isReturn, hasArguments: false, isUprobe: true, params: [], registers: env.registersAt?.(place) };
  const args = parseArguments(expandArguments(command, scope, undefined), scope);
  return { kind, group, event, place, maxactive: 0, args };
}
