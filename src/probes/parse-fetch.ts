import { attempt } from '../base/attempt.js';
import type { TraceError } from '../base/errno.js';
import { kstrtol, kstrtoul } from '../base/kstrto.js';
import type { CallRegisters } from './call-registers.js';
import type { RefusedAs } from './probe-command.js';
import type { Fetch, ProbeTypeName } from './probe-definition.js';
import type { ProbeErrorName } from './probe-errors.js';

/** What an argument may fetch: it depends on where its probe stands. */
export interface FetchScope {
  /** Whether the probe hears a function's end, so that `$retval` is there. */
  readonly isReturn: boolean;
  /** Whether it hears how a promise settles, so that `$status` and `$duration` are there. */
  readonly isSettled?: boolean;
  /** Whether it stands at a function's entry, so that `$argN` is there. */
  readonly hasArguments: boolean;
  /** Whether it was written as a uprobe, which the kernel gives no symbols. */
  readonly isUprobe: boolean;
  /** The fields of the event of an eprobe, with the types that they have if the line gives none: `$NAME` is one of them. */
  readonly fields?: ReadonlyMap<string, ProbeTypeName>;
  /** The parameters of the function. */
  readonly params: readonly string[];
  /** The registers of a call on this machine, where values are those of JavaScript. */
  readonly callRegisters?: CallRegisters | undefined;
  /** The name of the function that begins at an address. */
  readonly symbolAt?: ((address: bigint) => string | undefined) | undefined;
  /** The names of registers; present: values come from registers and memory, as in the kernel. */
  readonly registers?: ReadonlySet<string> | undefined;
}

/** Refuses an argument. @param offset characters of the argument's word before the caret */
export type RefuseFetch = (error: ProbeErrorName, offset: number, as?: RefusedAs) => never;

/**
 * What the last step of a fetch left, which says what may be done with it: a value of the program, what a dereference found (by
 * `+u`: in the memory of a user), a word of the stack, the size of the stack, a number of the line, a text of the line.
 */
export type Fetched = 'value' | 'memory' | 'user memory' | 'word' | 'stack' | 'immediate' | 'text';

/**
 * What a line is refused for when it has no other mistake: an `@ADDR` or `@+OFFS`, which JavaScript does not have, so many
 * characters into the argument; or an `@SYM` that can be no symbol, which the kernel finds when all else is right.
 */
export type LastRefusal =
  | { readonly error: 'BAD_MEM_ADDR'; readonly at: number }
  | { readonly error: 'BAD_PROBE_ADDR' | 'FAIL_REG_PROBE' };

export interface ParsedFetch {
  readonly fetch: Fetch;
  readonly fetched: Fetched;
  /** The index of the last step, below LAST_STEP. */
  readonly step: number;
  readonly last?: LastRefusal | undefined;
}

/** The step that only ends a fetch (FETCH_INSN_MAX - 1). */
export const LAST_STEP = 15;
/** The largest N of `$argN` and `$stackN`: words of the kernel's stack (PARAM_MAX_STACK). */
const MAX_STACK = 2048n;

const IDENTIFIER = '[\\p{ID_Start}_$][\\p{ID_Continue}$]*';
const VARIABLE = new RegExp(`^${IDENTIFIER}`, 'u');
const MEMBER = new RegExp(`^(?:(?:->|\\.)(?<name>${IDENTIFIER})|\\[(?<index>\\d+)\\]|\\["(?<key>[^"]*)"\\])`, 'u');

const SYMBOL = new RegExp(
  `^(?<name>${IDENTIFIER})(?<members>(?:(?:->|\\.)${IDENTIFIER}|\\[\\d+\\]|\\["[^"]*"\\])*)(?<offset>[+-](?:0[xX])?[\\da-fA-F]+)?$`,
  'u',
);
/** What the line is refused for at last. */
const nowhere = (last: LastRefusal): ParsedFetch => ({ fetch: { kind: 'symbol', name: '' }, fetched: 'memory', step: 1, last });

/** `$NAME` without a number. */
const PLAIN: Readonly<Record<string, ParsedFetch>> = {
  stack: { fetch: { kind: 'stack' }, fetched: 'stack', step: 0 },
  comm: { fetch: { kind: 'comm' }, fetched: 'text', step: 0 },
  COMM: { fetch: { kind: 'comm' }, fetched: 'text', step: 0 },
};

/** Whether what follows the first sign of an `@SYM+OFFS` is no number (traceprobe_split_symbol_offset). */
function hasBadOffset(where: string): boolean {
  const sign = where.search(/[+-]/);
  return sign >= 0 && attempt(() => kstrtol(where.slice(sign).replace(/^\+/, ''))) === undefined;
}

/** Words that are fetched where a promise settles. */
const SETTLING: Readonly<Record<string, ParsedFetch>> = {
  status: { fetch: { kind: 'status' }, fetched: 'value', step: 0 },
  duration: { fetch: { kind: 'duration' }, fetched: 'value', step: 0 },
};

/** Parses the FETCHARG of an argument, without its name and its type (parse_probe_arg in kernel/trace/trace_probe.c). */
export class FetchParser {
  readonly #scope: FetchScope;
  readonly #refuse: RefuseFetch;

  constructor(scope: FetchScope, refuse: RefuseFetch) {
    this.#scope = scope;
    this.#refuse = refuse;
  }

  /** @param at characters of the argument's word before the text */
  parse(text: string, at: number): ParsedFetch {
    const { fields } = this.#scope;
    switch (text[0]) {
      case '$':
        return fields === undefined ? this.#variable(text, at) : this.#field(text.slice(1), fields);
      case '%':
        return fields === undefined
          ? this.#register(text.slice(1), at)
          : this.#refuse('BAD_FETCH_ARG', at, { earlier: 'BAD_VAR' });
      case '@':
        return this.#scope.registers === undefined ? this.#memory(text, at) : this.#address(text, at);
      case '+':
      case '-':
        return this.#dereference(text, at);
      case '\\':
        return this.#immediate(text, at);
      default:
        return this.#named(text, at);
    }
  }

  #register(name: string, at: number): ParsedFetch {
    const { registers } = this.#scope;
    const fetch: Fetch | undefined =
      registers === undefined ? this.#callRegister(name) : registers.has(name) ? { kind: 'register', name } : undefined;
    return { fetch: fetch ?? this.#refuse('BAD_REG_NAME', at), fetched: 'word', step: 0 };
  }

  /**
   * What a register of the calling convention stands for in JavaScript. That of the result holds nothing before the function's
   * end.
   */
  #callRegister(name: string): Fetch | undefined {
    const { isReturn, hasArguments, callRegisters } = this.#scope;
    const index = hasArguments ? (callRegisters?.args.indexOf(name) ?? -1) : -1;
    if (index >= 0) return { kind: 'argument', index };
    if (name !== callRegisters?.retval) return undefined;
    return isReturn ? { kind: 'retval' } : { kind: 'immediate', value: 0n };
  }

  /** (parse_probe_vars) */
  #variable(text: string, at: number): ParsedFetch {
    const whole = /^\$[\p{ID_Continue}$]*/u.exec(text)![0];
    const name = whole.slice(1);
    const rest = text.slice(whole.length);
    if (rest === '' && Object.hasOwn(PLAIN, name)) return PLAIN[name]!;
    const entry = /^stack(\d+)$/.exec(name)?.[1];
    if (rest === '' && entry !== undefined) return this.#stackEntry(entry, at);
    if (rest === '' && this.#scope.isSettled === true && Object.hasOwn(SETTLING, name)) return SETTLING[name]!;
    const root = this.#root(name, at);
    const isWord = this.#scope.registers !== undefined;
    if (rest !== '' && (isWord || !MEMBER.test(rest))) this.#refuse('BAD_VAR', at);
    if (isWord) return { fetch: root, fetched: 'word', step: 0 };
    return this.#members(root, rest, at + whole.length);
  }

  #root(name: string, at: number): Fetch {
    const { isReturn, hasArguments, params } = this.#scope;
    if (name === 'retval') return isReturn ? { kind: 'retval' } : this.#refuse('RETVAL_ON_PROBE', at);
    // A name of JavaScript may begin with a dollar sign.
    if (params.includes(`$${name}`)) return { kind: 'variable', name: `$${name}` };
    const digits = hasArguments ? /^arg(\d+)$/.exec(name)?.[1] : undefined;
    if (digits === undefined) return this.#refuse('BAD_VAR', at);
    const number = BigInt(digits);
    if (number === 0n || number > MAX_STACK) this.#refuse('BAD_ARG_NUM', at);
    return { kind: 'argument', index: Number(number) - 1 };
  }

  #stackEntry(digits: string, at: number): ParsedFetch {
    const index = BigInt(digits);
    if (index >= 1n << 64n) this.#refuse('BAD_VAR', at);
    if (index > MAX_STACK && !this.#scope.isUprobe) this.#refuse('BAD_STACK_NUM', at);
    return { fetch: { kind: 'stack entry', index: Number(index) }, fetched: 'word', step: 0 };
  }

  /**
   * `$NAME` of an eprobe: a field, or the name of the task. Whether there is such a field is looked at when the argument is
   * whole.
   */
  #field(name: string, fields: ReadonlyMap<string, ProbeTypeName>): ParsedFetch {
    const isComm = /^(comm|COMM)$/.test(name) && !fields.has(name);
    return isComm ? PLAIN.comm! : { fetch: { kind: 'variable', name }, fetched: 'value', step: 0 };
  }

  /** `@ADDR`, `@+OFFS`, `@SYM[+-OFFS]` of machine code. */
  #address(text: string, at: number): ParsedFetch {
    const { isUprobe } = this.#scope;
    const where = text.slice(1);
    const found = (of: Fetch, step = 1, offset = 0): ParsedFetch => ({
      fetch: { kind: 'dereference', of, offset },
      fetched: 'memory',
      step,
    });
    if (/^\d/.test(where)) return found({ kind: 'address', address: this.#number(kstrtoul, where, 'BAD_MEM_ADDR', at) });
    if (where.startsWith('+')) {
      if (!isUprobe) this.#refuse('FILE_ON_KPROBE', at);
      return found({ kind: 'file address', offset: this.#number(kstrtol, where.slice(1), 'BAD_FILE_OFFS', at) });
    }
    if (isUprobe) this.#refuse('SYM_ON_UPROBE', at);
    const [, name = where, offset] = /^([^+-]*)([+-].*)?$/s.exec(where) ?? [];
    const number = offset === undefined ? 0n : attempt(() => kstrtol(offset.replace(/^\+/, '')));
    if (number === undefined) return nowhere({ error: 'FAIL_REG_PROBE' });
    return found({ kind: 'symbol', name }, 2, Number(number));
  }

  /** `@ADDR`, `@+OFFS`, `@SYM`. */
  #memory(text: string, at: number): ParsedFetch {
    const where = text.slice(1);
    if (/^\d/.test(where)) {
      const address = this.#number(kstrtoul, where, 'BAD_MEM_ADDR', at);
      const name = this.#scope.symbolAt?.(address);
      if (name !== undefined) return { fetch: { kind: 'symbol', name }, fetched: 'memory', step: 1 };
      return nowhere({ error: 'BAD_MEM_ADDR', at });
    }
    if (where.startsWith('+')) {
      if (!this.#scope.isUprobe) this.#refuse('FILE_ON_KPROBE', at);
      this.#number(kstrtol, where.slice(1), 'BAD_FILE_OFFS', at);
      return nowhere({ error: 'BAD_MEM_ADDR', at });
    }
    if (this.#scope.isUprobe) this.#refuse('SYM_ON_UPROBE', at);
    const { name, members = '', offset } = SYMBOL.exec(where)?.groups ?? {};
    if (name === undefined) return nowhere({ error: hasBadOffset(where) ? 'FAIL_REG_PROBE' : 'BAD_PROBE_ADDR' });
    const root: Fetch = { kind: 'symbol', name };
    const { fetch, step } = this.#members(root, members, at + 1 + name.length);
    const number = offset === undefined ? 0 : Number(this.#number(kstrtol, offset, 'BAD_DEREF_OFFS', at));
    return {
      fetch: number === 0 ? fetch : { kind: 'dereference', of: fetch, offset: number },
      fetched: 'memory',
      step: step + 2,
    };
  }

  /** `+OFFS(FETCHARG)`, `-OFFS(...)`, `+uOFFS(...)`, and members of what is there. The carets are the kernel's, also with `u`. */
  #dereference(text: string, at: number): ParsedFetch {
    const signed = text[1] === 'u' ? text[0] + text.slice(2) : text;
    const whole = signed.startsWith('+') ? signed.slice(1) : signed;
    const brace = whole.indexOf('(');
    if (brace < 0) this.#refuse('DEREF_NEED_BRACE', at);
    const offset = Number(this.#number(kstrtol, whole.slice(0, brace), 'BAD_DEREF_OFFS', at));
    const innerAt = at + brace + 1 + (whole.startsWith('-') ? 0 : 1);
    const inner = whole.slice(brace + 1);
    const end = inner.lastIndexOf(')');
    if (end < 0) this.#refuse('DEREF_OPEN_BRACE', innerAt + inner.length);
    const parsed = this.parse(inner.slice(0, end), innerAt);
    if (parsed.fetched === 'text') this.#refuse('COMM_CANT_DEREF', innerAt);
    const root: Fetch = { kind: 'dereference', of: parsed.fetch, offset };
    const rest = inner.slice(end + 1);
    // What is no member is not looked at, as in the kernel.
    const fetch = MEMBER.test(rest) ? this.#members(root, rest, innerAt + end + 1).fetch : root;
    if (parsed.step + 1 === LAST_STEP) this.#refuse('TOO_MANY_OPS', innerAt);
    const fetched = text[1] === 'u' ? 'user memory' : 'memory';
    return { fetch, fetched, step: parsed.step + 1, last: parsed.last };
  }

  /** `\NUMBER` and `\"text"` (str_to_immediate, __parse_imm_string). */
  #immediate(text: string, at: number): ParsedFetch {
    if (text[1] === '"') {
      if (text.length < 3 || !text.endsWith('"')) this.#refuse('IMMSTR_NO_CLOSE', at + text.length);
      return { fetch: { kind: 'immediate', value: text.slice(2, -1) }, fetched: 'text', step: 0 };
    }
    const digits = text.slice(1);
    if (!/^[-+\d]/.test(digits)) this.#refuse('BAD_IMM', at + 1);
    const read = /^\d/.test(digits) ? kstrtoul : kstrtol;
    const value = this.#number(read, digits.replace(/^\+/, ''), 'BAD_IMM', at + 1);
    return { fetch: { kind: 'immediate', value }, fetched: 'immediate', step: 0 };
  }

  /** `this`, a parameter or a variable, and members of it. */
  #named(text: string, at: number): ParsedFetch {
    const name = this.#scope.fields === undefined ? VARIABLE.exec(text)?.[0] : undefined;
    if (name === undefined) return this.#refuse('BAD_FETCH_ARG', at);
    const rest = text.slice(name.length);
    // The kernel's caret stands under the whole argument; that of a member that cannot be read, under the member.
    if (/^[^.[-]/.test(rest)) this.#refuse('BAD_FETCH_ARG', at);
    const isThis = name === 'this' && this.#scope.registers === undefined;
    const root: Fetch = isThis ? { kind: 'this' } : { kind: 'variable', name };
    return this.#members(root, rest, at + name.length);
  }

  #members(root: Fetch, text: string, at: number): ParsedFetch {
    let fetch = root;
    let rest = text;
    let step = 0;
    while (rest !== '') {
      const { 0: whole, groups } = MEMBER.exec(rest) ?? this.#noMember(rest, at + text.length - rest.length);
      fetch = { kind: 'member', of: fetch, name: groups!.name ?? groups!.index ?? groups!.key! };
      rest = rest.slice(whole.length);
      if (++step === LAST_STEP) this.#refuse('TOO_MANY_OPS', at);
    }
    return { fetch, fetched: 'value', step };
  }

  #noMember(text: string, at: number): never {
    const detail = /^(?:->|\.)#/.test(text) ? 'a private name can be read only by the code of its class' : '';
    return this.#refuse('BAD_FETCH_ARG', at, { detail });
  }

  #number(read: (text: string) => bigint, text: string, error: ProbeErrorName, at: number): bigint {
    try {
      return read(text);
    } catch (thrown) {
      return this.#refuse(error, at, { errno: (thrown as TraceError).errno });
    }
  }
}
