import { attempt } from '../base/attempt.js';
import { kstrtoul } from '../base/kstrto.js';
import { callRegisters } from './call-registers.js';
import { variableOf } from './fetch-root.js';
import { ALL, expandArguments, FIRST_ARGUMENT, parseArguments } from './parse-arguments.js';
import type { FetchScope } from './parse-fetch.js';
import { checkSymbol, isUprobePlace, parsePlace, SETTLED } from './parse-place.js';
import { ProbeCommand } from './probe-command.js';
import { type ProbeDefinition, type ProbeKind, RETURN_KINDS, type WrittenPlace } from './probe-definition.js';
import type { ProbeLocation } from './probe-errors.js';
import { defaultEvent, GROUPS, type ProbeEventName, parseEventName } from './probe-names.js';
import type { ProbeNeeds } from './probe-needs.js';

/** The most calls of a function that a return probe may be told to follow (KRETPROBE_MAXACTIVE_MAX). */
const MAX_MAXACTIVE = 4096n;
const UNNAMED: ProbeEventName = { group: undefined, event: undefined };

/** What follows the first colon of a word, and where in the word. */
export function behindColon(word: string): { readonly text: string; readonly at: number } | undefined {
  const at = word.indexOf(':') + 1;
  return at === 0 ? undefined : { text: word.slice(at), at };
}

/** The digits behind the letter; 0: none. */
function maxactiveOf(command: ProbeCommand, isReturn: boolean): number {
  const [, digits] = /^.([^:]*)/.exec(command.words[0]!) ?? [];
  if (!/^\d/.test(digits!)) return 0;
  if (!isReturn) command.refuse('MAXACT_NO_KPROBE', 0, 1);
  const number = attempt(() => kstrtoul(digits!)) ?? 0n;
  if (number === 0n || number >= 1n << 32n) command.refuse('BAD_MAXACT', 0, 1);
  if (number > MAX_MAXACTIVE) command.refuse('MAXACT_TOO_BIG', 0, 1);
  return Number(number);
}

const paramsOf = (place: WrittenPlace, env: ProbeNeeds, isMachineCode: boolean): readonly string[] | undefined => {
  if (place.kind !== 'symbol' && place.kind !== 'function line') return undefined;
  const params = env.params(place.kind === 'symbol' ? place.module : undefined, place.symbol);
  // What machine code has no debug information of has no names.
  return isMachineCode && params?.length === 0 ? undefined : params;
};

interface Parts {
  readonly kind: ProbeKind;
  readonly place: WrittenPlace;
  readonly maxactive: number;
}

/** The name and the arguments of a line whose place is known. */
function definitionOf(command: ProbeCommand, env: ProbeNeeds, { kind, place, maxactive }: Parts): ProbeDefinition {
  const named = behindColon(command.words[0]!);
  const { group = GROUPS[kind], event = defaultEvent(kind, place) } = named
    ? parseEventName(command, 0, named.text, named.at)
    : UNNAMED;
  // Debug information of machine code is read when it is asked for.
  const registers = env.registersAt?.(place);
  const isNeeded = registers === undefined || command.words.includes(ALL);
  const params = isNeeded ? paramsOf(place, env, registers !== undefined) : undefined;
  const isReturn = RETURN_KINDS.includes(kind);
  const scope: FetchScope = {
    isReturn,
    isSettled: kind === 'settled',
    hasArguments: !isReturn && place.kind === 'symbol' && place.offset === 0,
    isUprobe: false,
    params: params ?? [],
    registers,
    callRegisters: callRegisters(process.arch),
    symbolAt: (address) => env.symbolAt?.(address),
  };
  const expanded = expandArguments(command, scope, params);
  return { kind, group, event, place, maxactive, args: parseArguments(expanded, scope) };
}

/**
 * `p[:[GRP/][EVENT]] PLACE [FETCHARGS]` and `r[MAXACTIVE][:[GRP/][EVENT]] PLACE [FETCHARGS]` (__trace_kprobe_create in
 * kernel/trace/trace_kprobe.c).
 * @param takesPaths whether `FILE:LINE` with a slash is a place of kprobes; in dynamic_events it is one of uprobes
 * @returns undefined for a line of another kind
 * @throws ProbeError
 */
export function parseKprobe(words: readonly string[], env: ProbeNeeds, takesPaths: boolean): ProbeDefinition | undefined {
  const [head = '', where] = words;
  if (!/^[pr]/.test(head) || where === undefined) return undefined;
  const command = new ProbeCommand('trace_kprobe', words);
  const maxactive = maxactiveOf(command, head.startsWith('r'));
  if (!takesPaths && env.symbols(undefined, where) === 0 && isUprobePlace(where)) return undefined;
  const parsed = parsePlace(command, env);
  const isReturn = head.startsWith('r') || parsed.isReturn || parsed.isSettled;
  checkSymbol(command, parsed.place, isReturn, env);
  const kind = parsed.isSettled ? 'settled' : isReturn ? 'kretprobe' : 'kprobe';
  const definition = definitionOf(command, env, { kind, place: parsed.place, maxactive });
  // The kernel takes a place without a symbol and an address for none at all, when all else is right.
  if (parsed.isNull === true) command.refuse('FAIL_REG_PROBE', 1);
  return definition;
}

const FPROBE: ProbeLocation = 'trace_fprobe';
const isGlob = (symbol: string): boolean => /[*?[]/.test(symbol);

/**
 * `f[MAXACTIVE][:[GRP/][EVENT]] SYM[%return] [FETCHARGS]` (Documentation/trace/fprobetrace.rst of Linux 6.5); SYM may be a glob.
 * @returns undefined for a line of another kind
 * @throws ProbeError
 */
export function parseFprobe(words: readonly string[], env: ProbeNeeds): ProbeDefinition | undefined {
  const [head = '', where] = words;
  if (!head.startsWith('f') || where === undefined) return undefined;
  const command = new ProbeCommand(FPROBE, words);
  const isReturn = where.endsWith('%return') && env.symbols(undefined, where) === 0;
  const maxactive = maxactiveOf(command, isReturn);
  const { place } = isGlob(where) ? globPlace(where) : parsePlace(command, env);
  if (where.endsWith(SETTLED) && env.symbols(undefined, where) === 0)
    command.refuse('BAD_ADDR_SUFFIX', 1, where.length - SETTLED.length, { detail: 'only p and r hear how a promise settles' });
  if (place.kind !== 'symbol' || place.offset > 0) command.refuse('BAD_PROBE_ADDR', 1);
  if (!isGlob(where)) checkSymbol(command, place, isReturn, env);
  return definitionOf(command, env, { kind: isReturn ? 'fexit' : 'fprobe', place, maxactive });
}

function globPlace(word: string): { readonly place: WrittenPlace } {
  const text = word.replace(/%return$/, '');
  const colon = text.indexOf(':');
  const module = colon < 0 ? {} : { module: text.slice(0, colon) };
  return { place: { kind: 'symbol', ...module, symbol: text.slice(colon + 1), offset: 0 } };
}

/**
 * `t[:[GRP/][EVENT]] TRACEPOINT [FETCHARGS]` (Documentation/trace/fprobetrace.rst of Linux 6.5).
 * @returns undefined for a line of another kind
 * @throws ProbeError
 */
export function parseTprobe(words: readonly string[], env: ProbeNeeds): ProbeDefinition | undefined {
  const [head = '', name] = words;
  if (!head.startsWith('t') || name === undefined) return undefined;
  const command = new ProbeCommand(FPROBE, words);
  const bad = /[^A-Za-z0-9_]/.exec(name);
  if (bad !== null) command.refuse('BAD_TP_NAME', 1, bad.index);
  const found = env.tracepoint(name) ?? command.refuse('NO_TRACEPOINT', 1);
  const place: WrittenPlace = { kind: 'event', system: found.system, event: found.name };
  const named = behindColon(head);
  const { group = GROUPS.tprobe, event = defaultEvent('tprobe', place) } = named
    ? parseEventName(command, 0, named.text, named.at)
    : UNNAMED;
  const params = found.args;
  const scope: FetchScope = { isReturn: false, hasArguments: true, isUprobe: false, params };
  const expanded = expandArguments(command, scope, params);
  const args = parseArguments(expanded, scope);
  for (const [i, { fetch }] of args.entries()) {
    const unknown = variableOf(fetch);
    if (unknown === undefined || params.includes(unknown)) continue;
    const detail = `${unknown} is no argument of ${found.system}:${found.name}, which has ${params.join(', ') || 'none'}`;
    expanded.refuse('BAD_FETCH_ARG', FIRST_ARGUMENT + i, expanded.words[FIRST_ARGUMENT + i]!.indexOf('=') + 1, { detail });
  }
  return { kind: 'tprobe', group, event, place, maxactive: 0, args };
}
