import type { SourcePlace } from '../program.js';
import { fromBytes, type SourceText } from './source-text.js';
import type { StapToken } from './token.js';

/** A complaint about a script's syntax, with all that its message shows. */
export class StapSyntaxError extends Error {
  override readonly name = 'StapSyntaxError';

  constructor(
    message: string,
    /** `saw`: the parser met this token; `at`: the complaint is about it. No token: the end of the file. */
    readonly label: 'saw' | 'at',
    readonly token: StapToken | undefined,
    readonly source: SourceText,
    /** The kind of complaint: of each, one is printed. */
    readonly site: string,
    /** The parser goes on behind the next `probe`, `global`, `private` or `function`; else at the next token. */
    readonly skips = true,
    /** Another complaint that belongs to it. */
    readonly also?: StapSyntaxError,
  ) {
    super(message);
  }

  /** Where; the end of the file if the text has ended. */
  get place(): SourcePlace {
    if (this.token !== undefined) return this.token.place;
    const line = this.source.bytes.split('\n').length;
    return { file: this.source.path, line, column: this.source.line(line).length + 1 };
  }
}

/** `operator '+' at <input>:1:19`, as messages name a token. */
export function describeToken(token: StapToken): string {
  const { file, line, column } = token.place;
  return `${token.kind}${quotedText(token)} at ${file}:${line}:${column}`;
}

function quotedText(token: StapToken): string {
  if (token.kind === 'keyword' || token.kind === 'embedded-code') return '';
  if (token.kind !== 'junk') return ` '${fromBytes(token.text)}'`;
  const shown = token.text.replace(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return ` '${shown}'`;
}

/** A token's line, and a caret under its first character; tabs before it are kept, so that they stand below each other. */
function sourceLines(token: StapToken, indent: string): string {
  const line = token.source.line(token.place.line);
  const before = line.slice(0, token.place.column - 1).replace(/[^\t]/g, ' ');
  return `${indent}source: ${fromBytes(line)}\n${indent}        ${before}^\n`;
}

/** A complaint with its lines, and an empty line behind them. */
export function formatSyntaxError(error: StapSyntaxError): string {
  const also = error.also === undefined ? '' : formatSyntaxError(error.also);
  const head = `parse error: ${error.message}\n${`${error.label}: `.padStart(13)}`;
  if (error.token === undefined) return `${head}${error.source.path} EOF\n\n${also}`;
  let text = `${head}${describeToken(error.token)}\n${sourceLines(error.token, '     ')}`;
  for (let use = error.token.usedAt; use !== undefined; use = use.usedAt) {
    text += `\tin expansion of macro: ${describeToken(use)}\n${sourceLines(use, '     ')}`;
  }
  return `${text}\n${also}`;
}

export interface SyntaxWarning {
  readonly message: string;
  readonly token: StapToken;
}

export function formatSyntaxWarning({ message, token }: SyntaxWarning): string {
  return `WARNING: ${message}: ${describeToken(token)}\n${sourceLines(token, ' ')}`;
}
