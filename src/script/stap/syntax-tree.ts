import type { Comparison, Extractor, LongOperator, SourcePlace } from '../program.js';

/**
 * The syntax tree of SystemTap's language: what the parser makes of a file, before any name is looked up. Macros and `%( %? %)`
 * are gone, `{a,b}` in a probe point is written out, and numbers are read; nothing else is changed. What the parser takes
 * although it means nothing (`1 = a`, a stray `break`) is in it, for the semantic pass to refuse.
 */

/** Where a node's first token stands; a token that a macro's text gave stands in the macro. */
export interface StapPlace extends SourcePlace {
  /** Where the macro is used. */
  readonly expandedAt?: StapPlace;
}

interface Node {
  readonly place: StapPlace;
}

/** A name as it is written, with its place. */
export interface Name extends Node {
  readonly text: string;
}

export interface StapFile {
  /** The file as it was named. */
  readonly path: string;
  /** A tapset, or `-g`: embedded C and the operators that reach memory may stand in it. */
  readonly isPrivileged: boolean;
  readonly probes: readonly StapProbe[];
  readonly aliases: readonly ProbeAlias[];
  readonly functions: readonly FunctionDefinition[];
  readonly globals: readonly GlobalDefinition[];
  /** `%{ %}` between definitions. */
  readonly embedded: readonly EmbeddedCode[];
}

// ---------------------------------------------------------------------------------------------------------------------- probes

export interface StapProbe extends Node {
  readonly points: readonly ProbePoint[];
  readonly body: Block;
}

/** `probe NAME = POINTS { }`, or with `+=`. */
export interface ProbeAlias extends Node {
  /** The names before `=`, each a probe point without arguments. */
  readonly names: readonly ProbePoint[];
  /** `=` puts the body before that of a probe that uses the alias, `+=` behind it. */
  readonly kind: 'prologue' | 'epilogue';
  readonly points: readonly ProbePoint[];
  readonly body: Block;
  /** `= points { body }, { epilogue }`: of a prologue, what stands behind the probe's body besides. */
  readonly epilogue?: Block;
}

export interface ProbePoint extends Node {
  readonly components: readonly PointComponent[];
  /** `?`: it may match nothing. */
  readonly isOptional: boolean;
  /** `!`: if it matches, the points behind it in the list are left out; it may match nothing, too. */
  readonly isSufficient: boolean;
  /** `if (condition)` */
  readonly condition?: StapExpression;
}

/** `function("a*")`: a name, which can have the wildcards `*` and `?` (and `**`), and an argument. */
export interface PointComponent extends Node {
  readonly name: string;
  readonly argument?: LongLiteral | StringLiteral;
}

// ------------------------------------------------------------------------------------------------------- functions and globals

/** What can be written behind `:`. */
export type DeclaredType = 'long' | 'string';

export interface FunctionDefinition extends Node {
  readonly name: Name;
  readonly isPrivate: boolean;
  readonly parameters: readonly Parameter[];
  readonly returns?: DeclaredType;
  /** The order among those of one name and number of parameters: the lowest is tried first, the others where it calls `next`. */
  readonly priority: number;
  readonly hasPriority: boolean;
  readonly body: Block | EmbeddedCode;
}

export interface Parameter extends Name {
  readonly type?: DeclaredType;
}

export interface GlobalDefinition extends Node {
  readonly name: Name;
  readonly isPrivate: boolean;
  /** `[size]`: an array's most entries. */
  readonly size?: number;
  /** `%`: an array that is full drops its oldest entries. */
  readonly wraps: boolean;
  readonly initial?: LongLiteral | StringLiteral;
}

/** `%{ text %}` */
export interface EmbeddedCode extends Node {
  readonly kind: 'embedded';
  readonly text: string;
}

// ------------------------------------------------------------------------------------------------------------------ statements

export type Statement =
  | Block
  | EmbeddedCode
  | EmptyStatement
  | ExpressionStatement
  | IfStatement
  | WhileStatement
  | ForStatement
  | ForeachStatement
  | JumpStatement
  | ReturnStatement
  | DeleteStatement
  | TryStatement;

export interface Block extends Node {
  readonly kind: 'block';
  readonly statements: readonly Statement[];
}
/** `;` alone */
export interface EmptyStatement extends Node {
  readonly kind: 'empty';
}
export interface ExpressionStatement extends Node {
  readonly kind: 'expression';
  readonly expression: StapExpression;
}
export interface IfStatement extends Node {
  readonly kind: 'if';
  readonly condition: StapExpression;
  readonly yes: Statement;
  readonly no?: Statement;
}
export interface WhileStatement extends Node {
  readonly kind: 'while';
  readonly condition: StapExpression;
  readonly body: Statement;
}
export interface ForStatement extends Node {
  readonly kind: 'for';
  readonly init?: StapExpression;
  readonly condition?: StapExpression;
  readonly step?: StapExpression;
  readonly body: Statement;
}

/** `foreach (value = [a+, b] in array[*, 1] @sum- limit n)` */
export interface ForeachStatement extends Node {
  readonly kind: 'foreach';
  readonly value?: SymbolExpression;
  readonly keys: readonly SymbolExpression[];
  /** The array: a symbol, or `@hist_log(x)`. */
  readonly over: SymbolExpression | HistogramExpression;
  /** One for each key; undefined: `*`. */
  readonly slice?: readonly (StapExpression | undefined)[];
  /** `by`: the key, from 1; 0: the value, or what is extracted of it (a count, if nothing is said). */
  readonly order?: { readonly by: number; readonly extract?: Extractor; readonly isDescending: boolean };
  readonly limit?: StapExpression;
  readonly body: Statement;
}
/** `next` leaves a handler, and in a function goes to the next one of its name. */
export interface JumpStatement extends Node {
  readonly kind: 'break' | 'continue' | 'next';
}
export interface ReturnStatement extends Node {
  readonly kind: 'return';
  readonly value?: StapExpression;
}
export interface DeleteStatement extends Node {
  readonly kind: 'delete';
  readonly target: StapExpression;
}
export interface TryStatement extends Node {
  readonly kind: 'try';
  readonly body: Statement;
  readonly caught?: SymbolExpression;
  readonly handler: Statement;
}

// ----------------------------------------------------------------------------------------------------------------- expressions

export type StapExpression =
  | LongLiteral
  | StringLiteral
  | SymbolExpression
  | IndexExpression
  | CallExpression
  | UnaryExpression
  | BinaryExpression
  | TernaryExpression
  | AssignExpression
  | StepExpression
  | InExpression
  | MatchExpression
  | TargetExpression
  | CastExpression
  | MemberExpression
  | DefinedExpression
  | EntryExpression
  | ProbeWriteExpression
  | PerfExpression
  | StatExpression
  | HistogramExpression
  | PrintExpression
  | MemoryExpression
  | EmbeddedExpression;

/** A number of 64 bits, signed: `0xffffffffffffffff` is -1. */
export interface LongLiteral extends Node {
  readonly kind: 'long';
  readonly value: bigint;
}
/** A string: escapes are resolved, neighbours are one. */
export interface StringLiteral extends Node {
  readonly kind: 'string';
  readonly value: string;
  /** The string with its escapes, in bytes. */
  readonly written: string;
}
/** A local, a global, or a parameter. */
export interface SymbolExpression extends Node {
  readonly kind: 'symbol';
  readonly name: string;
}
/** `array[a, *]`, `@hist_log(x)[i]`; undefined: `*`. */
export interface IndexExpression extends Node {
  readonly kind: 'index';
  readonly of: SymbolExpression | HistogramExpression;
  readonly keys: readonly (StapExpression | undefined)[];
}
export interface CallExpression extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly StapExpression[];
}
export interface UnaryExpression extends Node {
  readonly kind: 'unary';
  /** `&` of anything but what TargetExpression.isAddress covers is for the semantic pass to refuse. */
  readonly operator: '+' | '-' | '!' | '~' | '&';
  readonly of: StapExpression;
}
/** The place is that of the operator, as stap has it. `.` joins texts. */
export interface BinaryExpression extends Node {
  readonly kind: 'binary';
  readonly operator: LongOperator | Comparison | '&&' | '||' | '.';
  readonly left: StapExpression;
  readonly right: StapExpression;
}
export interface TernaryExpression extends Node {
  readonly kind: 'ternary';
  readonly condition: StapExpression;
  readonly yes: StapExpression;
  readonly no: StapExpression;
}
/** `<<<` adds a sample to an aggregate. The place is that of the operator. */
export interface AssignExpression extends Node {
  readonly kind: 'assign';
  readonly operator: '=' | '<<<' | '.=' | `${LongOperator}=`;
  readonly target: StapExpression;
  readonly value: StapExpression;
}
/** `x++`, `--x` */
export interface StepExpression extends Node {
  readonly kind: 'step';
  readonly operator: '++' | '--';
  readonly isPost: boolean;
  readonly target: StapExpression;
}
/** `[a, *] in array`; undefined: `*`. */
export interface InExpression extends Node {
  readonly kind: 'in';
  readonly keys: readonly (StapExpression | undefined)[];
  readonly over: SymbolExpression | HistogramExpression;
}
/** `text =~ "pattern"`, `!~` */
export interface MatchExpression extends Node {
  readonly kind: 'match';
  readonly isNegated: boolean;
  readonly of: StapExpression;
  readonly pattern: StringLiteral;
}

/** What follows `$x`: `->y`, `[1]`, `[i]`; `$` or `$$` at the end: shown as text. */
export type Access =
  | { readonly kind: 'member'; readonly name: string; readonly place: StapPlace }
  | { readonly kind: 'element'; readonly index: StapExpression; readonly place: StapPlace };
interface Accessing extends Node {
  readonly accesses: readonly Access[];
  /** `$x$`: `flat`; `$x$$`: `deep`. */
  readonly shown?: 'flat' | 'deep';
  /** `&$x->y` */
  readonly isAddress: boolean;
}
/** `$x->y[1]`, `$$parms`, `@var("x@file", "module")->y` */
export interface TargetExpression extends Accessing {
  readonly kind: 'target';
  /** The name without its `$`; `$parms` for `$$parms`, `` for `$` alone; what `@var` names, with its `@file`. */
  readonly name: string;
  readonly isVar: boolean;
  /** The second argument of `@var`. */
  readonly module?: string;
}
/** `@cast(x, "type", "module")->y` */
export interface CastExpression extends Accessing {
  readonly kind: 'cast';
  readonly of: StapExpression;
  readonly type: string;
  readonly module?: string;
}
/** `f(x)->y`, `a[1]->y`, `b->y`: the type is that of the variable from which the value came. */
export interface MemberExpression extends Accessing {
  readonly kind: 'member';
  readonly of: StapExpression;
}

export interface DefinedExpression extends Node {
  readonly kind: 'defined';
  readonly of: StapExpression;
}
export interface EntryExpression extends Node {
  readonly kind: 'entry';
  readonly of: StapExpression;
}
export interface ProbeWriteExpression extends Node {
  readonly kind: 'probewrite';
  readonly of: StapExpression;
}
/** `@perf("counter")` */
export interface PerfExpression extends Node {
  readonly kind: 'perf';
  readonly counter: string;
}
/** `@count(x)`; `bits`: the second argument of `@variance`. */
export interface StatExpression extends Node {
  readonly kind: 'stat';
  readonly extract: Extractor;
  readonly of: StapExpression;
  readonly bits?: bigint;
}
/** `@hist_log(x)`, `@hist_linear(x, from, to, step)`: in `print`, `[i]`, `foreach` and `in` only. */
export interface HistogramExpression extends Node {
  readonly kind: 'histogram';
  readonly of: StapExpression;
  readonly shape: { readonly kind: 'log' } | { readonly kind: 'linear'; readonly parameters: readonly bigint[] };
}
/** A call with any number of arguments: of `print`, `printf`, `printd`, `println`, `printdln`, or one with `s` before. */
export interface PrintExpression extends Node {
  readonly kind: 'print';
  readonly name: string;
  /** The text is the expression's value. */
  readonly isText: boolean;
  readonly withFormat: boolean;
  readonly withDelimiter: boolean;
  readonly withNewline: boolean;
  /** `printf`'s format, `printd`'s delimiter. */
  readonly text?: StringLiteral;
  readonly args: readonly StapExpression[];
}
/** `@kderef(size, address)`, `@uregister(n)` and their like, in tapsets only. */
export interface MemoryExpression extends Node {
  readonly kind: 'memory';
  readonly operator: '@kderef' | '@uderef' | '@kregister' | '@uregister';
  readonly args: readonly StapExpression[];
}
/** `%{ text %}` as an expression; `@const("text")`. In tapsets only. */
export interface EmbeddedExpression extends Node {
  readonly kind: 'embedded expression';
  readonly text: string;
}
