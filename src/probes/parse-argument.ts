import { attempt } from '../base/attempt.js';
import { kstrtoul } from '../base/kstrto.js';
import { variableOf } from './fetch-root.js';
import { type Fetched, FetchParser, type FetchScope, LAST_STEP, type LastRefusal, type ParsedFetch } from './parse-fetch.js';
import type { ProbeCommand } from './probe-command.js';
import { type Fetch, PROBE_TYPES, type ProbeArgument, type ProbeType, type ProbeTypeName, rowOf } from './probe-definition.js';
import type { ProbeErrorName } from './probe-errors.js';
import { isGoodName } from './probe-names.js';

/** Limits of kernel/trace/trace_probe.h: characters of an argument and of its name, elements of an array, bytes of all values. */
const MAX_ARGUMENT = 63;
const MAX_NAME = 32;
const MAX_COUNT = 64n;
const MAX_BYTES = 3072;

/** What no symbol can be made of. */
const REFUSED_SYMSTR: ReadonlySet<Fetched> = new Set(['stack', 'immediate', 'text', 'user memory']);

/** Names of the fields that every record has, and of those of probes. */
const RESERVED: ReadonlySet<string> = new Set([
  'common_type',
  'common_flags',
  'common_preempt_count',
  'common_pid',
  'common_tgid',
  '__probe_ip',
  '__probe_ret_ip',
  '__probe_func',
]);

/** An argument, and what its line is refused for when it has no other mistake. */
export interface ParsedArgument {
  readonly argument: ProbeArgument;
  readonly last: LastRefusal | undefined;
}

/** Bytes of an argument's field. */
export const bytesOf = ({ name, count = 1 }: ProbeType): number => rowOf(name).size * count;

/** Parses the arguments of a line, in their order (traceprobe_parse_probe_arg). */
export class ArgumentParser {
  readonly #command: ProbeCommand;
  readonly #scope: FetchScope;
  readonly #names: string[] = [];
  #bytes = 0;

  constructor(command: ProbeCommand, scope: FetchScope) {
    this.#command = command;
    this.#scope = scope;
  }

  /** @param index the argument's word in the line */
  parse(word: string, index: number): ParsedArgument {
    const refuse = (error: ProbeErrorName, offset = 0): never => this.#command.refuse(error, index, offset);
    const equals = word.indexOf('=');
    if (equals > MAX_NAME) refuse('ARG_NAME_TOO_LONG');
    if (equals === 0) refuse('NO_ARG_NAME');
    const given = equals < 0 ? undefined : word.slice(0, equals);
    if (given !== undefined && !isGoodName(given)) refuse('BAD_ARG_NAME');
    if (given !== undefined && this.#isUsed(given)) refuse('USED_ARG_NAME');
    const body = new ArgumentBody(this.#command, index, word.slice(equals + 1), equals + 1);
    const { fetch, type, last, takesType } = body.parse(this.#scope);
    const name = given ?? this.#nameOf(fetch) ?? `arg${this.#names.length + 1}`;
    if (this.#isUsed(name)) refuse('USED_ARG_NAME');
    this.#bytes += bytesOf(type);
    if (this.#bytes > MAX_BYTES) refuse('EVENT_TOO_BIG', equals + 1);
    this.#names.push(name);
    return { argument: { name, text: body.text, fetch, type, ...(takesType && { takesType }) }, last };
  }

  #isUsed(name: string): boolean {
    return RESERVED.has(name) || this.#names.includes(name);
  }

  /** A variable without another name has its own, so have `$status` and `$duration`; a member that of its property. */
  #nameOf(fetch: Fetch): string | undefined {
    if ((fetch.kind === 'status' || fetch.kind === 'duration') && !this.#isUsed(fetch.kind)) return fetch.kind;
    const isNamed = this.#scope.fields === undefined && (fetch.kind === 'variable' || fetch.kind === 'member');
    const fits = isNamed && isGoodName(fetch.name) && fetch.name.length <= MAX_NAME && !this.#isUsed(fetch.name);
    return fits ? fetch.name : undefined;
  }
}

const BIT_FIELD = /^b(0x[\da-f]+|\d+)@(0x[\da-f]+|\d+)\//i;
const CONTAINERS: Readonly<Record<string, ProbeTypeName>> = { 8: 'u8', 16: 'u16', 32: 'u32', 64: 'u64' };

/** The type of that name (find_fetch_type); a bit field has that of its container. */
function typeNamed(text: string): ProbeTypeName | undefined {
  if (!text.startsWith('b')) return Object.hasOwn(PROBE_TYPES, text) ? (text as ProbeTypeName) : undefined;
  const slash = text.indexOf('/');
  const size = slash < 0 ? undefined : attempt(() => kstrtoul(text.slice(slash + 1)));
  return size === undefined ? undefined : CONTAINERS[String(size)];
}

/** How an argument is to be stored. */
interface Storage {
  readonly typeText: string | undefined;
  readonly count: number | undefined;
  /** Where the type is, in characters of the argument. */
  readonly typeAt: number;
  /** What is fetched may have more than one element. */
  readonly isList: boolean;
}

/** `FETCHARG[:TYPE]` (traceprobe_parse_probe_arg_body). */
class ArgumentBody {
  readonly text: string;
  readonly #command: ProbeCommand;
  readonly #index: number;
  readonly #at: number;

  /** @param at characters of the word before the text */
  constructor(command: ProbeCommand, index: number, text: string, at: number) {
    this.#command = command;
    this.#index = index;
    this.text = text;
    this.#at = at;
  }

  parse(scope: FetchScope): Omit<ProbeArgument, 'name' | 'text'> & Pick<ParsedArgument, 'last'> {
    const { text } = this;
    if (text.length > MAX_ARGUMENT) this.#refuse('ARG_TOO_LONG');
    if (text === '') this.#refuse('NO_ARG_BODY');
    const colon = text.indexOf(':');
    const fetchText = colon < 0 ? text : text.slice(0, colon);
    const typeAt = colon < 0 ? 0 : colon + 1;
    const { typeText, count } = this.#splitType(colon < 0 ? undefined : text.slice(typeAt), typeAt);
    const isText = scope.fields === undefined && /^(\$comm$|\$COMM$|\\")/.test(fetchText);
    if (isText && (count !== undefined || (typeText ?? 'string') !== 'string')) this.#refuse('NEED_STRING_TYPE', typeAt);
    const named = typeText === undefined ? undefined : (typeNamed(typeText) ?? this.#refuse('BAD_TYPE', typeAt));
    const parser = new FetchParser(scope, (error, offset, as) => this.#command.refuse(error, this.#index, offset, as));
    const parsed = parser.parse(fetchText, this.#at);
    const name = named ?? (parsed.fetched === 'word' ? 'x64' : defaultType(parsed.fetch, scope));
    // A value of JavaScript may be a list; a field of an event is one number or text.
    const isList = parsed.fetched === 'memory' || (parsed.fetched === 'value' && scope.fields === undefined);
    const bits = this.#stored(parsed, name, { typeText, count, typeAt, isList });
    const type: ProbeType = { name, ...(count === undefined ? {} : { count }), ...(bits === undefined ? {} : { bits }) };
    const takesType = typeText === undefined && scope.registers !== undefined && variableOf(parsed.fetch) !== undefined;
    return { fetch: parsed.fetch, type, last: parsed.last, ...(takesType && { takesType }) };
  }

  #refuse(error: ProbeErrorName, offset = 0): never {
    return this.#command.refuse(error, this.#index, this.#at + offset);
  }

  /** `TYPE[COUNT]`; the array is looked at before the type. */
  #splitType(
    text: string | undefined,
    at: number,
  ): { readonly typeText: string | undefined; readonly count: number | undefined } {
    const open = text?.indexOf('[') ?? -1;
    if (text === undefined || open < 0) return { typeText: text, count: undefined };
    const countAt = at + open + 1;
    const close = text.indexOf(']', open);
    if (close < 0) this.#refuse('ARRAY_NO_CLOSE', at + text.length);
    if (close < text.length - 1) this.#refuse('BAD_ARRAY_SUFFIX', at + close + 1);
    const count = attempt(() => kstrtoul(text.slice(open + 1, close))) ?? 0n;
    if (count === 0n || count >= 1n << 32n) this.#refuse('BAD_ARRAY_NUM', countAt);
    if (count > MAX_COUNT) this.#refuse('ARRAY_TOO_BIG', countAt);
    return { typeText: text.slice(0, open), count: Number(count) };
  }

  /** Whether what was fetched can be stored as the type says, and in how many steps; the bits of a bit field. */
  #stored({ fetched, step }: ParsedFetch, name: ProbeTypeName, { typeText, count, typeAt, isList }: Storage): ProbeType['bits'] {
    const { isText = false } = rowOf(name);
    let steps = step;
    const next = (error: ProbeErrorName = 'TOO_MANY_OPS', at = 0): void => {
      if (++steps >= LAST_STEP) this.#refuse(error, at);
    };
    if (name === 'symstr' && REFUSED_SYMSTR.has(fetched)) this.#refuse('BAD_SYMSTRING', typeAt);
    const isWord = fetched === 'word' || fetched === 'stack';
    if (isText && name !== 'symstr' && isWord) this.#refuse('BAD_STRING', typeAt);
    const isMemory = fetched === 'memory' || fetched === 'user memory';
    const isInPlace = isMemory && !(isText && (name === 'symstr' || count !== undefined));
    if (!isInPlace) next();
    let bits: ProbeType['bits'];
    if (typeText?.startsWith('b')) {
      bits = bitsOf(typeText, 8 * rowOf(name).size) ?? this.#refuse('BAD_BITFIELD', typeAt);
      next('BAD_BITFIELD', typeAt);
    }
    if (count !== undefined) {
      const isInElements = isText ? name !== 'symstr' : isList;
      if (!isInElements) this.#refuse('BAD_STRING', typeAt);
      next();
    }
    return bits;
  }
}

/** What an argument without a type has: a JavaScript value any text, all else what the kernel gives it. */
function defaultType(fetch: Fetch, scope: FetchScope): ProbeTypeName {
  switch (fetch.kind) {
    case 'member':
    case 'dereference':
      return defaultType(fetch.of, scope);
    case 'stack':
    case 'stack entry':
      return 'x64';
    case 'immediate':
      return typeof fetch.value === 'string' ? 'string' : 'x64';
    case 'comm':
    case 'status':
      return 'string';
    case 'duration':
      return 'u64';
    case 'variable':
      return scope.fields?.get(fetch.name) ?? (scope.registers === undefined ? 'value' : 'x64');
    default:
      return scope.registers === undefined ? 'value' : 'x64';
  }
}

/** (__parse_bitfield_probe_arg) */
function bitsOf(text: string, containerBits: number): ProbeType['bits'] {
  const [, width, offset] = BIT_FIELD.exec(text) ?? [];
  const bits = { width: Number(width), offset: Number(offset) };
  return bits.width > 0 && bits.width + bits.offset <= containerBits ? bits : undefined;
}
