import { fromBytes, type SourceText, toBytes } from './source-text.js';
import type { StapPlace } from './syntax-tree.js';
import { LONG_TOKENS, STAP_KEYWORDS, type StapToken, type TokenKind } from './token.js';

/** What stands between tokens: blanks, and comments of three kinds; one that is open goes to the end. */
const BLANKS = /(?:[ \t\n\v\f\r]+|#[^\n]*|\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*))/y;
const NAME = /[A-Za-z_$@][A-Za-z0-9_$]*/y;
const NUMBER = /[0-9][A-Za-z0-9]*/y;
const ARGUMENT = /[$@](?:#|[0-9]+)/y;
const EMBEDDED = /%\{([\s\S]*?)%\}/y;
const OPERATOR = new RegExp(
  `${LONG_TOKENS.map((text) => text.replace(/[^\w]/g, '\\$&')).join('|')}|[!%&'()*+,\\-./:;<=>?[\\\\\\]^\`{|}~]`,
  'y',
);
/** Letters of escapes that have a meaning; before any other character the `\` is dropped. */
const MEANT = new Set('abtnvfr01234567\\x"');

/** Text that stands in place of an argument's name, and how far it is read. */
interface InsertedText {
  readonly bytes: string;
  at: number;
  readonly place: StapPlace;
}

/**
 * A script's text, a token at a time. `$1` and `@1` give the script's arguments: the first as if it were written there, the
 * second as a string.
 */
export class Lexer {
  #at = 0;
  #line = 1;
  #lineStart = 0;
  /** The next end of a line from `at` on. */
  #lineEnd: number;
  /** The text of an argument that stands in place of `$1`. */
  #inserted: InsertedText | undefined;
  /** The numbers of the arguments that the script has. */
  readonly used = new Set<number>();

  readonly #args: readonly string[];

  constructor(
    readonly source: SourceText,
    args: readonly string[] = [],
  ) {
    this.#args = args;
    this.#lineEnd = endOfLine(source.bytes, 0);
  }

  next(): StapToken | undefined {
    while (this.#inserted !== undefined) {
      const token = this.#insertedToken(this.#inserted);
      if (token !== undefined) return token;
    }
    const { bytes } = this.source;
    for (let end = matchEnd(BLANKS, bytes, this.#at); end !== -1; end = matchEnd(BLANKS, bytes, this.#at)) this.#moveTo(end);
    if (this.#at >= bytes.length) return undefined;

    const place = { file: this.source.path, line: this.#line, column: this.#at - this.#lineStart + 1 };
    const argument = matchText(ARGUMENT, bytes, this.#at);
    if (argument !== undefined) {
      this.#moveTo(this.#at + argument.length);
      return this.#argument(argument, place);
    }
    const { token, end } = this.#scan(bytes, this.#at, place);
    this.#moveTo(end);
    return token;
  }

  #moveTo(end: number): void {
    while (this.#lineEnd < end) {
      this.#line++;
      this.#lineStart = this.#lineEnd + 1;
      this.#lineEnd = endOfLine(this.source.bytes, this.#lineStart);
    }
    this.#at = end;
  }

  #argument(written: string, place: StapPlace): StapToken | undefined {
    const isText = written.startsWith('@');
    if (written.endsWith('#')) {
      return this.#token(isText ? 'string' : 'number', String(this.#args.length), place);
    }
    const number = Number(written.slice(1));
    const argument = this.#args[number - 1];
    if (argument === undefined) {
      return this.#junk(`command line argument out of range [1-${this.#args.length}]`, place);
    }
    this.used.add(number);
    if (isText) return this.#token('string', toBytes(argument).replace(/["\\\n]/g, quoted), place);
    // What follows without a blank is part of the argument's last token.
    const rest = matchText(/[A-Za-z0-9_]*/y, this.source.bytes, this.#at) ?? '';
    this.#moveTo(this.#at + rest.length);
    this.#inserted = { bytes: toBytes(argument) + rest, at: 0, place };
    return this.next();
  }

  #insertedToken(inserted: InsertedText): StapToken | undefined {
    const { bytes, place } = inserted;
    for (let end = matchEnd(BLANKS, bytes, inserted.at); end !== -1; end = matchEnd(BLANKS, bytes, inserted.at))
      inserted.at = end;
    if (inserted.at >= bytes.length) {
      this.#inserted = undefined;
      return undefined;
    }
    const nested = matchText(ARGUMENT, bytes, inserted.at);
    if (nested !== undefined) {
      inserted.at += nested.length;
      return this.#junk('invalid nested substitution of command line arguments', place);
    }
    const { token, end } = this.#scan(bytes, inserted.at, place);
    inserted.at = end;
    return token;
  }

  #scan(bytes: string, at: number, place: StapPlace): { token: StapToken; end: number } {
    const name = matchText(NAME, bytes, at);
    if (name !== undefined) {
      const kind = name.startsWith('@') ? 'operator' : STAP_KEYWORDS.has(name) ? 'keyword' : 'identifier';
      return { token: this.#token(kind, name, place), end: at + name.length };
    }
    const number = matchText(NUMBER, bytes, at);
    if (number !== undefined) return { token: this.#token('number', number, place), end: at + number.length };
    if (bytes[at] === '"') return this.#string(bytes, at, place);
    if (bytes.startsWith('%{', at)) return this.#embedded(bytes, at, place);
    const operator = matchText(OPERATOR, bytes, at);
    if (operator !== undefined) return { token: this.#token('operator', operator, place), end: at + operator.length };
    return { token: this.#token('junk', bytes[at]!, place), end: at + 1 };
  }

  #string(bytes: string, at: number, place: StapPlace): { token: StapToken; end: number } {
    const { text, end } = matchString(bytes, at);
    if (text === undefined) return { token: this.#junk('Could not find matching closing quote', place), end };
    return { token: this.#token('string', text, place), end };
  }

  #embedded(bytes: string, at: number, place: StapPlace): { token: StapToken; end: number } {
    const whole = matchText(EMBEDDED, bytes, at);
    if (whole === undefined) {
      return { token: this.#junk("Could not find matching '%}' to close embedded function block", place), end: bytes.length };
    }
    return { token: this.#token('embedded-code', whole.slice(2, -2), place), end: at + whole.length };
  }

  #token(kind: TokenKind, text: string, place: StapPlace): StapToken {
    return { kind, text, source: this.source, place };
  }
  #junk(problem: string, place: StapPlace): StapToken {
    return { kind: 'junk', text: '', source: this.source, place, problem };
  }
}

function endOfLine(bytes: string, from: number): number {
  const end = bytes.indexOf('\n', from);
  return end === -1 ? bytes.length : end;
}

function matchEnd(pattern: RegExp, bytes: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(bytes) ? pattern.lastIndex : -1;
}
function matchText(pattern: RegExp, bytes: string, at: number): string | undefined {
  const end = matchEnd(pattern, bytes, at);
  return end === -1 ? undefined : bytes.slice(at, end);
}

/** The text between quotes, without the `\` of escapes that mean nothing; undefined: the line or the text ends before. */
function matchString(bytes: string, at: number): { text: string | undefined; end: number } {
  let text = '';
  let from = at + 1;
  for (let index = from; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === '"') return { text: text + bytes.slice(from, index), end: index + 1 };
    if (byte === '\n') return { text: undefined, end: index };
    if (byte !== '\\') continue;
    const escaped = bytes[index + 1];
    if (escaped !== undefined && !MEANT.has(escaped)) {
      text += bytes.slice(from, index);
      from = index + 1;
    }
    index++;
  }
  return { text: undefined, end: bytes.length };
}

function quoted(byte: string): string {
  return byte === '\n' ? '\\n' : `\\${byte}`;
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/** A string token's text, its escapes resolved. */
export function stringValue(written: string): string {
  const bytes = written.replace(
    /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|([\s\S]))/g,
    (_, octal?: string, hex?: string, other?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      return ESCAPES[other!] ?? other!;
    },
  );
  return fromBytes(bytes);
}

/** A number token's value, of 64 bits and signed; undefined: it is none, or too large. */
export function numberValue(text: string): bigint | undefined {
  const octal = /^0([0-7]*)$/.exec(text);
  if (octal === null && !/^(?:0[xX][0-9A-Fa-f]+|[1-9][0-9]*)$/.test(text)) return undefined;
  const value = BigInt(octal === null ? text : `0o${octal[1] || '0'}`);
  return value >> 64n === 0n ? BigInt.asIntN(64, value) : undefined;
}
