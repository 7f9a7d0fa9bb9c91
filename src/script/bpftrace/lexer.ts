import type { Macro } from './preprocess.js';
import type { Problem, Span } from './problem.js';

export type BpfTokenKind = 'integer' | 'string' | 'name' | 'map' | 'variable' | 'parameter' | 'sign' | 'end predicate' | 'end';

export interface BpfToken {
  readonly kind: BpfTokenKind;
  /** The token as it is written; of a string what it means. */
  readonly text: string;
  /** What an integer is. */
  readonly value?: bigint;
  /** The place as bpftrace counts: from the last blank before the token. */
  readonly at: Span;
}

/** The longest first. */
const SIGNS = /^(?:<<=|>>=|\+\+|--|->|&&|\|\||==|!=|<=|>=|<<|>>|[-+*/%&|^]=|[-+*/%&|^!~<>=?:;,.()[\]{}])/;
const INTEGER = /^(?:0[xX][0-9a-fA-F_]+|[0-9][0-9_]*(?:[eE][0-9_]+)?)(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU]?)(?![0-9A-Za-z_])/;
const LONGEST = (1n << 64n) - 1n;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' };
/** What macros may become. */
const MOST_TOKENS = 10_000;

/** Makes tokens of a source, one at a time: where probes are written, the parser reads the text itself. */
export class BpfLexer {
  readonly problems: Problem[] = [];
  readonly #text: string;
  readonly #macros: ReadonlyMap<string, Macro>;
  /** Where the next token is looked for. */
  #next = 0;
  /** Behind the last blank. */
  #from = 0;
  /** Tokens of macros, and those that were looked at and not taken. */
  readonly #waiting: BpfToken[] = [];
  #expanded = 0;

  constructor(text: string, macros: ReadonlyMap<string, Macro>) {
    this.#text = text;
    this.#macros = macros;
  }

  /** The next token, without taking it. */
  peek(): BpfToken {
    if (this.#waiting.length === 0) this.#waiting.push(this.#read());
    return this.#waiting.at(-1)!;
  }

  next(): BpfToken {
    return this.#waiting.pop() ?? this.#read();
  }

  /** Puts a token back. */
  unread(token: BpfToken): void {
    this.#waiting.push(token);
  }

  /** Behind blanks and comments: where a probe's text begins. No token is waiting. */
  get offset(): number {
    this.#skipBlanks();
    return this.#next;
  }

  /** Goes on behind a part of the text that was read. */
  skipTo(offset: number): void {
    this.#next = offset;
    this.#from = offset;
  }

  #skipBlanks(): void {
    for (;;) {
      const blank = /^(?:\s+|\/\/[^\n]*|\/\*.*?\*\/)/s.exec(this.#text.slice(this.#next, this.#next + 200))?.[0];
      if (blank !== undefined) this.#next += blank.startsWith('//') ? this.#lineEnd() - this.#next : blank.length;
      else if (this.#text.startsWith('/*', this.#next)) this.#skipComment();
      else return;
      this.#from = this.#next;
    }
  }

  #skipComment(): void {
    const end = this.#text.indexOf('*/', this.#next + 2);
    if (end === -1) this.problems.push({ at: this.#line(this.#text.length), message: 'end of file during comment' });
    this.#next = end === -1 ? this.#text.length : end + 2;
  }

  /** The line that ends here. */
  #line(to: number): Span {
    return { from: this.#text.lastIndexOf('\n', to - 1) + 1, to };
  }

  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#next);
    return end === -1 ? this.#text.length : end;
  }

  #read(): BpfToken {
    this.#skipBlanks();
    const text = this.#text;
    const start = this.#next;
    const char = text[start];
    if (char === undefined) return this.#token('end', '', 0);
    const ahead = text.slice(start, start + 100);
    const word = /^[A-Za-z_]\w*/.exec(ahead)?.[0];
    if (word !== undefined) return this.#wordAt(start);
    if (char === '"') return this.#string();
    if (/[0-9]/.test(char)) return this.#integer();
    const prefixed = /^(@[A-Za-z_]?|\$[A-Za-z_]|\$[0-9]|\$#)/.exec(ahead)?.[0];
    if (prefixed !== undefined) {
      const name = prefixed.slice(1) === '#' ? '#' : this.#wordFrom(start + 1);
      const kind = char === '@' ? 'map' : /[0-9#]/.test(name[0]!) ? 'parameter' : 'variable';
      return this.#token(kind, char + name, name.length + 1);
    }
    if (char === '/' && this.#endsPredicate(start + 1)) return this.#token('end predicate', '/', 1);
    const sign = SIGNS.exec(ahead)?.[0];
    if (sign !== undefined) return this.#token('sign', sign, sign.length);
    this.#next += text.codePointAt(start)! > 0xffff ? 2 : 1;
    const at = { from: this.#from, to: this.#next };
    this.problems.push({ at, message: `invalid character '${escaped(text.slice(start, this.#next))}'` });
    return this.#read();
  }

  #token(kind: BpfTokenKind, text: string, length: number, value?: bigint): BpfToken {
    this.#next += length;
    return { kind, text, ...(value === undefined ? {} : { value }), at: { from: this.#from, to: this.#next } };
  }

  #wordFrom(start: number): string {
    let end = start;
    while (/\w/.test(this.#text[end] ?? '')) end++;
    return this.#text.slice(start, end);
  }

  /** Whether only blanks stand before `{`. */
  #endsPredicate(from: number): boolean {
    let at = from;
    while (/\s/.test(this.#text[at] ?? '')) at++;
    return this.#text[at] === '{';
  }

  #wordAt(start: number): BpfToken {
    const token = this.#token('name', this.#wordFrom(start), 0);
    this.#next += token.text.length;
    const at = { from: token.at.from, to: this.#next };
    const macro = this.#macros.get(token.text);
    if (macro === undefined) return { ...token, at };
    this.#expand(macro, at, []);
    return this.#waiting.pop() ?? this.#read();
  }

  /** Puts what a macro stands for before all that waits. */
  #expand({ name, body }: Macro, at: Span, within: readonly string[]): void {
    if (within.includes(name)) {
      this.problems.push({ at, message: `Macro recursion limit reached: ${within.join(', ')}` });
      return;
    }
    const inner = new BpfLexer(body, new Map());
    const tokens: BpfToken[] = [];
    for (let token = inner.next(); token.kind !== 'end'; token = inner.next()) tokens.push({ ...token, at });
    this.problems.push(...inner.problems.map(({ message }) => ({ at, message })));
    this.#expanded += tokens.length;
    if (this.#expanded > MOST_TOKENS) {
      this.problems.push({ at, message: `Macros stand for more than ${MOST_TOKENS} words` });
      return;
    }
    for (const token of tokens.reverse()) {
      const macro = token.kind === 'name' && token.text !== name ? this.#macros.get(token.text) : undefined;
      if (macro === undefined) this.#waiting.push(token);
      else this.#expand(macro, at, [...within, name]);
      if (this.problems.length > 0) return;
    }
  }

  #integer(): BpfToken {
    const rest = this.#text.slice(this.#next, this.#next + 100);
    const written = INTEGER.exec(rest)?.[0];
    if (written === undefined) return this.#badInteger(/^\w+/.exec(rest)![0], 'Found trailing non-numeric characters');
    const digits = written.replace(/_/g, '').replace(/[uUlL]+$/, '');
    const [, mantissa, exponent] = /^([0-9]+)[eE]([0-9]+)$/.exec(digits) ?? [];
    if (exponent !== undefined && Number(exponent) > 16) {
      return this.#badInteger(written, `Exponent will overflow integer range: ${exponent}`);
    }
    if (/^0[0-9]*[89]/.test(digits) && exponent === undefined) {
      return this.#badInteger(written, 'Found trailing non-numeric characters');
    }
    const isOctal = /^0[0-7]+$/.test(digits);
    const value = exponent !== undefined ? BigInt(mantissa!) * 10n ** BigInt(exponent) : BigInt(isOctal ? `0o${digits}` : digits);
    if (value > LONGEST) return this.#badInteger(written, `${written} does not fit into 64 bits`);
    return this.#token('integer', written, written.length, value);
  }

  #badInteger(written: string, message: string): BpfToken {
    const token = this.#token('integer', written, written.length, 0n);
    this.problems.push({ at: token.at, message });
    return token;
  }

  #string(): BpfToken {
    const text = this.#text;
    let at = this.#next + 1;
    let value = '';
    while (at < text.length && text[at] !== '"' && text[at] !== '\n') {
      const part = text[at] === '\\' ? /^\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|[^\n])/s.exec(text.slice(at, at + 5))?.[0] : text[at]!;
      if (part === undefined) break;
      value += part.length === 1 ? part : this.#escape(part, at);
      at += part.length;
    }
    const isClosed = text[at] === '"';
    const token = this.#token('string', value, at + (isClosed ? 1 : 0) - this.#next);
    if (!isClosed) this.problems.push({ at: token.at, message: 'unterminated string' });
    return token;
  }

  #escape(part: string, at: number): string {
    const octal = /^\\([0-7]+)$/.exec(part)?.[1];
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    const hexadecimal = /^\\x([0-9a-fA-F]+)$/.exec(part)?.[1];
    if (hexadecimal !== undefined) return String.fromCharCode(Number.parseInt(hexadecimal, 16));
    const char = ESCAPES[part[1]!];
    if (char !== undefined) return char;
    const span = { from: this.#from, to: at + part.length };
    this.problems.push({ at: span, message: `invalid escape character '${escaped(part)}'` });
    return part;
  }
}

/** A character for a message: what no terminal shows in hexadecimal. */
const escaped = (text: string): string =>
  text.replace(/[^ -~\u00a0-\u{10ffff}]/gu, (char) => `\\x${char.codePointAt(0)!.toString(16).padStart(2, '0')}`);
