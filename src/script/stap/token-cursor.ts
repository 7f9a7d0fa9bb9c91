import type { Preprocessor } from './preprocessor.js';
import type { SourceText } from './source-text.js';
import { StapSyntaxError } from './syntax-error.js';
import { isKeyword, isOperator, type StapToken } from './token.js';

/** The most nodes inside each other: what reads the tree may recurse as deep. */
export const NESTING_LIMIT = 200;

/** What the parser reads tokens with. `last` is the token that a complaint names, as stap has it. */
export class TokenCursor {
  #ahead: StapToken | undefined;
  #last: StapToken | undefined;
  #depth = 0;

  readonly #tokens: Preprocessor;

  constructor(
    tokens: Preprocessor,
    readonly source: SourceText,
    /** Embedded C, and operators that reach memory, may stand here. */
    readonly isPrivileged: boolean,
  ) {
    this.#tokens = tokens;
  }

  /** The next token, which stays; undefined at the end. */
  peek(): StapToken | undefined {
    this.#ahead ??= this.#tokens.next();
    this.#last = this.#ahead;
    return this.#last;
  }

  /** Takes the next token. */
  next(): StapToken {
    this.#ahead ??= this.#tokens.next();
    if (this.#ahead === undefined) throw this.saw('unexpected end-of-file');
    this.#last = this.#ahead;
    this.#ahead = undefined;
    return this.#last;
  }

  /** Takes the token that was peeked at; a complaint before the next one names the end of the file. */
  swallow(): StapToken {
    const token = this.next();
    this.#last = undefined;
    return token;
  }

  sees(operator: string): boolean {
    return isOperator(this.peek(), operator);
  }
  seesKeyword(keyword: string): boolean {
    return isKeyword(this.peek(), keyword);
  }
  /** Takes the operator if it is next. */
  takes(operator: string): boolean {
    if (!this.sees(operator)) return false;
    this.swallow();
    return true;
  }

  expect(operator: string): StapToken {
    const token = this.next();
    if (!isOperator(token, operator)) throw this.saw(`expected '${operator}'`, 'operator');
    return token;
  }
  /** One of several operators. */
  expectOneOf(...operators: readonly string[]): StapToken {
    const token = this.next();
    if (token.kind !== 'operator' || !operators.includes(token.text)) {
      throw this.saw(`expected one of '${operators.join(' ')}'`, 'operators');
    }
    return token;
  }
  expectKeyword(keyword: string): StapToken {
    const token = this.next();
    if (!isKeyword(token, keyword)) throw this.saw(`expected '${keyword}'`, 'keyword');
    return token;
  }
  /** A name; `withKeywords`: also one that the language uses. */
  expectName(withKeywords = false): StapToken {
    const token = this.next();
    if (token.kind !== 'identifier' && !(withKeywords && token.kind === 'keyword')) {
      throw this.saw(withKeywords ? 'expected identifier or keyword' : 'expected identifier');
    }
    return token;
  }

  /** Runs a part of the parser one level deeper; the place of what is nested too deep is that of the next token. */
  nested<T>(parse: () => T): T {
    this.#deeper(1);
    try {
      return parse();
    } finally {
      this.#depth--;
    }
  }
  /** Refuses `more` levels below this one, if they are too many. */
  checkDepth(more: number): void {
    if (this.#depth + more > NESTING_LIMIT) {
      this.peek();
      throw this.saw(`nested deeper than ${NESTING_LIMIT} levels`);
    }
  }
  #deeper(more: number): void {
    this.checkDepth(more);
    this.#depth += more;
  }

  /** Refuses the end of the text here, and names the token before it. */
  needMore(): void {
    this.#ahead ??= this.#tokens.next();
    if (this.#ahead === undefined) throw this.saw('unexpected end-of-file');
  }

  /** A complaint about what was met; what is wrong with the token itself is said before. */
  saw(message: string, site = message, skips = true): StapSyntaxError {
    const problem = this.#last?.problem;
    if (problem !== undefined) return new StapSyntaxError(problem, 'at', this.#last, this.source, site, skips);
    return new StapSyntaxError(message, 'saw', this.#last, this.source, site, skips);
  }
  /** A complaint that names the end of the file, as stap does where it has let go of the token. */
  end(message: string): StapSyntaxError {
    return new StapSyntaxError(message, 'saw', undefined, this.source, message);
  }
  /** A complaint about a token. */
  at(message: string, token: StapToken): StapSyntaxError {
    return new StapSyntaxError(message, 'at', token, this.source, message);
  }
}
