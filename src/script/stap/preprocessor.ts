import { isConditionTrue, type ScriptFacts } from './conditions.js';
import type { Lexer } from './lexer.js';
import { StapSyntaxError, type SyntaxWarning } from './syntax-error.js';
import { isOperator, type StapToken } from './token.js';

/** `@define NAME(parameters) %( body %)` */
export interface MacroDefinition {
  /** The name with its place. */
  readonly name: StapToken;
  readonly parameters: readonly string[];
  readonly body: readonly StapToken[];
}

/** Tokens that stand in place of a macro's use, or of a parameter in its text. */
interface Expansion {
  readonly tokens: readonly StapToken[];
  at: number;
  /** What the parameters mean in these tokens. */
  readonly scope: Scope | undefined;
  readonly usedAt: StapToken;
  /** The macro whose text it is; absent: an argument. */
  readonly macro?: string;
}
type Scope = ReadonlyMap<string, Argument>;
interface Argument {
  readonly tokens: readonly StapToken[];
  /** The scope of the place where the macro is used: the tokens mean what they mean there. */
  readonly scope: Scope | undefined;
}

/** The most macros and parameters inside each other, and the most tokens that the macros of a file give. */
const DEPTH_LIMIT = 200;
const TOKENS_LIMIT = 100_000;

/** Operators of the language that start with `@`. */
export const AT_OPERATORS: ReadonlySet<string> = new Set(
  `@cast @defined @probewrite @entry @perf @var @avg @count @sum @min @max @variance @hist_linear @hist_log @const
   @kregister @uregister @kderef @uderef`.split(/\s+/),
);

/** The tokens of a file behind `%( condition %? %: %)`, `@define` and the use of macros. */
export class Preprocessor {
  /** The macros that the file defines. */
  readonly macros = new Map<string, MacroDefinition>();
  readonly warnings: SyntaxWarning[] = [];
  /** `%(` whose text is kept, and whether it is the one behind `%:`. */
  readonly #open: { readonly token: StapToken; isElse: boolean }[] = [];
  readonly #expansions: Expansion[] = [];
  #expanded = 0;

  readonly #lexer: Lexer;
  readonly #facts: ScriptFacts;
  readonly #library: (name: string) => MacroDefinition | undefined;

  constructor(
    lexer: Lexer,
    facts: ScriptFacts,
    /** A macro of the library. */
    library: (name: string) => MacroDefinition | undefined = () => undefined,
  ) {
    this.#lexer = lexer;
    this.#facts = facts;
    this.#library = library;
  }

  /** The next token; undefined at the end. Throws a StapSyntaxError, behind which it can be called again. */
  next(): StapToken | undefined {
    for (;;) {
      const token = this.#expand();
      if (token === undefined) {
        const unfinished = this.#open.pop();
        if (unfinished === undefined) return undefined;
        this.#open.length = 0;
        throw complaint('incomplete conditional at end of file', unfinished.token);
      }
      if (isOperator(token, '%(')) {
        this.#condition(token);
      } else if (isOperator(token, '%:') || isOperator(token, '%?') || isOperator(token, '%)')) {
        this.#branchEnd(token);
      } else {
        return token;
      }
    }
  }

  // ------------------------------------------------------------------------------------------------------------- conditions

  #condition(token: StapToken): void {
    // `&&` binds tighter than `||`.
    let any = false;
    let all = true;
    for (;;) {
      const left = this.#conditionToken(token);
      const operator = this.#conditionToken(token);
      const right = this.#conditionToken(token);
      all = isConditionTrue(left, operator, right, this.#facts) && all;
      const behind = this.#expand();
      if (isOperator(behind, '||')) {
        any ||= all;
        all = true;
      } else if (isOperator(behind, '%?')) {
        break;
      } else if (!isOperator(behind, '&&')) {
        throw complaint("expected '%?' marker for conditional", token);
      }
    }
    if (any || all) {
      this.#open.push({ token, isElse: false });
    } else if (this.#skip(token) === '%:') {
      this.#open.push({ token, isElse: true });
    }
  }

  #conditionToken(start: StapToken): StapToken {
    const token = this.#expand();
    if (token === undefined) throw complaint("incomplete condition after '%('", start);
    return token;
  }

  #branchEnd(token: StapToken): void {
    const open = this.#open.at(-1);
    if (open === undefined || token.text === '%?') throw complaint("incomplete conditional - missing '%('", token, token.text);
    if (token.text === '%:') {
      if (open.isElse) throw complaint("invalid conditional - duplicate '%:'", token);
      open.isElse = true;
      if (this.#skip(open.token, true) !== '%)') return;
    }
    this.#open.pop();
  }

  /** Leaves out a branch; which token ended it. */
  #skip(start: StapToken, isElse = false): '%:' | '%)' {
    let depth = 0;
    for (;;) {
      const token = this.#raw();
      if (token === undefined) throw complaint('incomplete conditional at end of file', start);
      if (isOperator(token, '%(')) depth++;
      else if (isOperator(token, '%)')) {
        if (depth-- === 0) return '%)';
      } else if (depth === 0 && isOperator(token, '%:')) {
        if (!isElse) return '%:';
        this.#open.pop();
        this.#skip(start, true);
        throw complaint("invalid conditional - duplicate '%:'", token);
      }
    }
  }

  // ----------------------------------------------------------------------------------------------------------------- macros

  /** The next token, macros expanded. */
  #expand(): StapToken | undefined {
    for (;;) {
      const token = this.#raw();
      if (token?.kind !== 'operator' || !token.text.startsWith('@') || token.text === '@') return token;
      const scope = this.#expansions.at(-1)?.scope;
      if (token.text === '@define') {
        this.#define(token);
        continue;
      }
      const name = token.text.slice(1);
      const argument = scope?.get(name);
      if (argument !== undefined) {
        this.#push({ tokens: argument.tokens, at: 0, scope: argument.scope, usedAt: token });
        continue;
      }
      const macro = this.macros.get(name) ?? this.#library(name);
      if (macro === undefined) return token;
      this.#use(name, macro, token, scope);
    }
  }

  /** The next token as it is written, of the innermost expansion that has one. */
  #raw(): StapToken | undefined {
    for (let top = this.#expansions.at(-1); top !== undefined; top = this.#expansions.at(-1)) {
      const token = top.tokens[top.at++];
      if (token !== undefined) return fromMacro(token, top.usedAt);
      this.#expansions.pop();
    }
    return this.#lexer.next();
  }

  #push(expansion: Expansion): void {
    if (this.#expansions.length >= DEPTH_LIMIT) {
      throw complaint(`macros are nested deeper than ${DEPTH_LIMIT} times`, expansion.usedAt);
    }
    this.#expanded += expansion.tokens.length;
    if (this.#expanded > TOKENS_LIMIT) throw complaint(`macros give more than ${TOKENS_LIMIT} tokens`, expansion.usedAt);
    this.#expansions.push(expansion);
  }

  #define(define: StapToken): void {
    if (this.#expansions.some(({ macro }) => macro !== undefined))
      throw complaint("'@define' forbidden inside macro body", define);
    const name = this.#raw();
    if (name?.kind !== 'identifier') throw this.#missing('expected identifier', name);
    if (name.text === 'define') throw complaint("attempt to redefine '@define'", name);
    const before = this.macros.get(name.text);
    if (before !== undefined) {
      const first = complaint(`macro '@${name.text}' first defined here`, before.name);
      const message = `attempt to redefine macro '@${name.text}' in the same file`;
      throw new StapSyntaxError(message, 'at', name, name.source, 'redefined', true, first);
    }
    if (AT_OPERATORS.has(`@${name.text}`)) {
      this.warnings.push({ message: `macro redefines built-in operator '@${name.text}'`, token: name });
    }
    const parameters: string[] = [];
    let token = this.#raw();
    if (isOperator(token, '(')) {
      do {
        const parameter = this.#raw();
        if (parameter?.kind !== 'identifier') throw this.#missing('expected identifier', parameter);
        parameters.push(parameter.text);
        token = this.#raw();
        if (!isOperator(token, ',') && !isOperator(token, ')')) throw this.#missing("expected ',' or ')'", token);
      } while (!isOperator(token, ')'));
      token = this.#raw();
    }
    if (!isOperator(token, '%(')) throw this.#missing("expected '%(' or '('", token);
    this.macros.set(name.text, { name, parameters, body: this.#body(name) });
  }

  #body(name: StapToken): StapToken[] {
    const tokens: StapToken[] = [];
    for (let depth = 0; ; ) {
      const token = this.#raw();
      if (token === undefined) throw complaint("incomplete macro definition - missing '%)'", name);
      if (isOperator(token, '%(')) depth++;
      if (isOperator(token, '%)') && depth-- === 0) return tokens;
      tokens.push(token);
    }
  }

  #use(name: string, macro: MacroDefinition, token: StapToken, scope: Scope | undefined): void {
    if (this.#isInOwnText(name)) {
      throw complaint(`macro '@${name}' is used in its own text`, token);
    }
    const { parameters } = macro;
    const meanings = new Map<string, Argument>();
    if (parameters.length > 0) {
      const before = this.#raw();
      if (!isOperator(before, '(')) {
        throw this.#missing(`expected '(' in invocation of macro '@${name}' taking ${parametersText(parameters.length)}`, before);
      }
      for (const [index, parameter] of parameters.entries()) {
        const { tokens, end } = this.#macroArgument(token);
        const isLast = index === parameters.length - 1;
        const expected = `(expected ${parameters.length})`;
        if (!isLast && end.text === ')') throw complaint(`too few parameters for macro '@${name}' ${expected}`, end);
        if (isLast && end.text === ',') throw complaint(`too many parameters for macro '@${name}' ${expected}`, end);
        meanings.set(parameter, { tokens, scope });
      }
    }
    this.#push({ tokens: macro.body, at: 0, scope: meanings, usedAt: token, macro: name });
  }

  /** Whether a macro's own text uses it; an argument's tokens are from outside that text, so that `@f(@f(1))` is right. */
  #isInOwnText(name: string): boolean {
    for (let index = this.#expansions.length - 1; index >= 0; index--) {
      const { macro } = this.#expansions[index]!;
      if (macro === undefined) return false;
      if (macro === name) return true;
    }
    return false;
  }

  /** The tokens up to the `,` or `)` behind an argument. */
  #macroArgument(use: StapToken): { tokens: StapToken[]; end: StapToken } {
    const tokens: StapToken[] = [];
    for (let depth = 0; ; ) {
      const token = this.#raw();
      if (token === undefined) throw complaint('could not find end of macro invocation', use);
      if (isOperator(token, '(') || isOperator(token, '[')) depth++;
      if (depth === 0 && (isOperator(token, ',') || isOperator(token, ')'))) return { tokens, end: token };
      if (isOperator(token, ')') || isOperator(token, ']')) depth--;
      tokens.push(token);
    }
  }

  #missing(message: string, token: StapToken | undefined): StapSyntaxError {
    if (token !== undefined) return complaint(message, token);
    return new StapSyntaxError(message, 'saw', undefined, this.#lexer.source, `macro: ${message}`);
  }
}

function complaint(message: string, token: StapToken, site = message): StapSyntaxError {
  return new StapSyntaxError(token.problem ?? message, 'at', token, token.source, `macro: ${site}`);
}

function fromMacro(token: StapToken, usedAt: StapToken): StapToken {
  return { ...token, usedAt, place: { ...token.place, expandedAt: usedAt.place } };
}

function parametersText(count: number): string {
  return count === 1 ? '1 parameter' : `${count} parameters`;
}
