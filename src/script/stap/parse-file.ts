import type { ScriptFacts } from './conditions.js';
import { Lexer } from './lexer.js';
import { parseFunction, parseGlobals, parseProbe } from './parse-definition.js';
import { parseEmbedded } from './parse-statement.js';
import { type MacroDefinition, Preprocessor } from './preprocessor.js';
import { SourceText } from './source-text.js';
import { formatSyntaxError, formatSyntaxWarning, StapSyntaxError, type SyntaxWarning } from './syntax-error.js';
import type { EmbeddedCode, FunctionDefinition, GlobalDefinition, ProbeAlias, StapFile, StapProbe } from './syntax-tree.js';
import { isKeyword, type StapToken } from './token.js';
import { TokenCursor } from './token-cursor.js';

/** What a file is parsed with. */
export interface ParseOptions {
  readonly facts: ScriptFacts;
  /** The script's arguments, for `$1` and `@1`. */
  readonly args?: readonly string[];
  /** A tapset, or `-g`. */
  readonly isPrivileged?: boolean;
  /** The macros of the library. */
  readonly macro?: (name: string) => MacroDefinition | undefined;
}

export interface ParsedFile {
  /** Absent: the file is refused. */
  readonly file?: StapFile;
  readonly errors: readonly StapSyntaxError[];
  readonly warnings: readonly SyntaxWarning[];
  /** Why there is nothing in it: no text, or none is left. */
  readonly emptiness?: 'empty' | 'empty after preprocessing';
  /** The macros that it defines. */
  readonly macros: ReadonlyMap<string, MacroDefinition>;
  /** The numbers of the arguments that it names. */
  readonly usedArguments: ReadonlySet<number>;
}

/** The first pass of SystemTap: a file's text as a tree. Throws nothing: what is wrong with the text is in its result. */
export function parseStapFile(path: string, text: string, options: ParseOptions): ParsedFile {
  return new FileParser(path, text, options).parse();
}

/** The complaints that are kept; the others are counted. */
const ERRORS_LIMIT = 1000;

const DEFINITIONS: ReadonlySet<string> = new Set(['probe', 'global', 'private', 'function']);

class FileParser {
  readonly #lexer: Lexer;
  readonly #tokens: Preprocessor;
  readonly #cursor: TokenCursor;
  readonly #isPrivileged: boolean;
  readonly #errors: StapSyntaxError[] = [];

  readonly #probes: StapProbe[] = [];
  readonly #aliases: ProbeAlias[] = [];
  readonly #functions: FunctionDefinition[] = [];
  readonly #globals: GlobalDefinition[] = [];
  readonly #globalNames = new Set<string>();
  readonly #embedded: EmbeddedCode[] = [];

  readonly #path: string;

  constructor(path: string, text: string, { facts, args = [], isPrivileged = false, macro }: ParseOptions) {
    this.#path = path;
    const source = new SourceText(path, text);
    this.#lexer = new Lexer(source, args);
    this.#tokens = new Preprocessor(this.#lexer, facts, macro);
    this.#cursor = new TokenCursor(this.#tokens, source, isPrivileged);
    this.#isPrivileged = isPrivileged;
  }

  parse(): ParsedFile {
    let isEmpty = true;
    for (;;) {
      try {
        const token = this.#cursor.peek();
        if (token === undefined) break;
        isEmpty = false;
        this.#definition(token);
      } catch (error) {
        if (this.#complain(error).skips) this.#skip();
      }
      if (this.#errors.length >= ERRORS_LIMIT) break;
    }
    const nothing =
      this.#probes.length + this.#aliases.length + this.#functions.length + this.#globals.length + this.#embedded.length;
    const path = this.#path;
    const isPrivileged = this.#isPrivileged;
    const lexer = this.#lexer;
    const tokens = this.#tokens;
    const errors = this.#errors;
    const probes = this.#probes;
    const aliases = this.#aliases;
    const functions = this.#functions;
    const globals = this.#globals;
    const embedded = this.#embedded;
    const rest = { errors, warnings: tokens.warnings, macros: tokens.macros, usedArguments: lexer.used };
    if (isEmpty) return { ...rest, emptiness: isBlank(lexer.source) ? 'empty' : 'empty after preprocessing' };
    if (errors.length > 0 || nothing === 0) return rest;
    return { ...rest, file: { path, isPrivileged, probes, aliases, functions, globals, embedded } };
  }

  #definition(token: StapToken): void {
    const cursor = this.#cursor;
    if (isKeyword(token, 'probe')) {
      const parsed = parseProbe(cursor);
      if ('probe' in parsed) this.#probes.push(parsed.probe);
      else this.#aliases.push(parsed.alias);
    } else if (isKeyword(token, 'global')) {
      cursor.swallow();
      this.#addGlobals(false);
    } else if (isKeyword(token, 'function')) {
      cursor.swallow();
      this.#functions.push(parseFunction(cursor, false, token.place));
    } else if (isKeyword(token, 'private')) {
      cursor.swallow();
      this.#private();
    } else if (token.kind === 'embedded-code') {
      if (this.#isPrivileged) {
        this.#embedded.push(parseEmbedded(cursor));
        return;
      }
      const refusal = cursor.saw('embedded code in unprivileged script; need stap -g', 'embedded code', false);
      cursor.swallow();
      throw refusal;
    } else {
      throw cursor.saw("expected 'probe', 'global', 'private', 'function', or '%{'");
    }
  }

  #private(): void {
    const cursor = this.#cursor;
    const token = cursor.peek();
    if (token === undefined) cursor.next();
    else if (isKeyword(token, 'function')) {
      cursor.swallow();
      this.#functions.push(parseFunction(cursor, true, token.place));
    } else if (isKeyword(token, 'global')) {
      cursor.swallow();
      this.#addGlobals(true);
    } else if (token.kind === 'identifier') {
      this.#addGlobals(true);
    } else {
      throw cursor.saw("expected 'function' or identifier");
    }
  }

  #addGlobals(isPrivate: boolean): void {
    for (const global of parseGlobals(this.#cursor, isPrivate, this.#globalNames)) {
      this.#globals.push(global);
      this.#globalNames.add(global.name.text);
    }
  }

  #complain(error: unknown): StapSyntaxError {
    if (!(error instanceof StapSyntaxError)) throw error;
    this.#errors.push(error);
    return error;
  }

  /** Leaves out the tokens before the next definition. */
  #skip(): void {
    while (this.#errors.length < ERRORS_LIMIT) {
      try {
        const token = this.#cursor.peek();
        if (token === undefined) return;
        if (token.kind === 'embedded-code' || (token.kind === 'keyword' && DEFINITIONS.has(token.text))) return;
        this.#cursor.swallow();
      } catch (error) {
        this.#complain(error);
      }
    }
  }
}

function isBlank(source: SourceText): boolean {
  return new Lexer(source).next() === undefined;
}

/** What is printed of a file that is refused, or has warnings: to stderr, as stap prints it. */
export function syntaxErrorText(parsed: ParsedFile, path: string, isVerbose = false): string {
  let text = parsed.warnings.map(formatSyntaxWarning).join('');
  const seen = new Set<string>();
  let hidden = 0;
  for (const error of parsed.errors) {
    if (!isVerbose && seen.has(error.site)) hidden++;
    else text += formatSyntaxError(error);
    seen.add(error.site);
  }
  if (parsed.file !== undefined) return text;
  const count = parsed.errors.length;
  if (parsed.emptiness !== undefined) text += `Input file '${path}' is ${parsed.emptiness}.\n`;
  else if (count > 0) text += `${count} parse error${count === 1 ? '' : 's'}.\n`;
  text += 'Pass 1: parse failed.  [man error::pass1]\n';
  if (hidden > 0) text += `Number of similar error messages suppressed: ${hidden}.\nRerun with -v to see them.\n`;
  return text;
}
