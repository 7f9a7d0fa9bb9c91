import { parseExpression } from './parse-expression.js';
import { parseLiteral, parseNumber } from './parse-literal.js';
import { parseBlock, parseEmbedded } from './parse-statement.js';
import type {
  Block,
  DeclaredType,
  EmbeddedCode,
  FunctionDefinition,
  GlobalDefinition,
  Name,
  Parameter,
  PointComponent,
  ProbeAlias,
  ProbePoint,
  StapExpression,
  StapPlace,
  StapProbe,
} from './syntax-tree.js';
import { isOperator, type StapToken } from './token.js';
import type { TokenCursor } from './token-cursor.js';

/** The most points that `{a,b}` may make of one. */
const POINTS_LIMIT = 10_000;

export type ProbeOrAlias = { readonly probe: StapProbe } | { readonly alias: ProbeAlias };

/** `probe points { }` or `probe name = points { }`. */
export function parseProbe(cursor: TokenCursor): ProbeOrAlias {
  const { place } = cursor.next();
  cursor.needMore();
  const names: ProbePoint[] = [];
  let points: ProbePoint[] = [];
  let kind: ProbeAlias['kind'] | undefined;
  for (;;) {
    for (const point of parsePoints(cursor)) points.push(point);
    const token = cursor.peek();
    const assign = isOperator(token, '=') ? 'prologue' : isOperator(token, '+=') ? 'epilogue' : undefined;
    if (assign !== undefined) {
      // `a = b = c` names two aliases; they are of one kind, the last one that is said.
      if (points.length !== 1 || (kind !== undefined && points.length > 1)) throw cursor.saw('expected probe point specifier');
      const [name] = points as [ProbePoint];
      if (name.isOptional || name.isSufficient) {
        throw cursor.at('probe point alias name cannot be optional nor sufficient', nameToken(cursor, name));
      }
      names.push(name);
      points = [];
      kind = assign;
      cursor.swallow();
    } else if (isOperator(token, ',')) {
      cursor.swallow();
    } else if (isOperator(token, '{')) {
      break;
    } else {
      throw cursor.saw("expected one of ', { } = +='");
    }
  }
  const body = parseBlock(cursor, 'probe');
  if (kind === undefined) return { probe: { points, body, place } };
  const alias = { names, kind, points, body, place };
  if (!cursor.sees(',')) return { alias };
  if (kind === 'epilogue') throw cursor.saw("Combined prologue and epilogue cannot be defined with '+='");
  cursor.swallow();
  return { alias: { ...alias, epilogue: parseBlock(cursor, 'probe') } };
}

function nameToken(cursor: TokenCursor, { components: [first] }: ProbePoint): StapToken {
  return { kind: 'identifier', text: first!.name, source: cursor.source, place: first!.place };
}

interface PointTail {
  readonly components: readonly PointComponent[];
  readonly isOptional: boolean;
  readonly isSufficient: boolean;
  readonly condition?: StapExpression;
}
const NO_TAIL: PointTail = { components: [], isOptional: false, isSufficient: false };

function parsePoints(cursor: TokenCursor): ProbePoint[] {
  const place = cursor.peek()?.place;
  const points = parseComponents(cursor);
  return points.map((point) => ({ ...point, place: point.components[0]?.place ?? place! }));
}

/** `a.b("c").{d,e}`, and what follows the last component; each way through the braces is a point of its own. */
function parseComponents(cursor: TokenCursor): PointTail[] {
  return cursor.nested(() => {
    const heads: PointTail[] = isOperator(cursor.peek(), '{')
      ? parseBraces(cursor)
      : [{ ...NO_TAIL, components: [parseComponent(cursor)] }];
    const token = cursor.peek();
    if (token === undefined) throw cursor.saw("expected one of ', { } = +='");
    if (isOperator(token, '.')) {
      cursor.swallow();
      return combined(cursor, heads, parseComponents(cursor));
    }
    let isOptional = false;
    let isSufficient = false;
    if (isOperator(token, '?') || isOperator(token, '!')) {
      cursor.swallow();
      isOptional = token.text === '?';
      isSufficient = token.text === '!';
    }
    let condition: StapExpression | undefined;
    if (cursor.seesKeyword('if')) {
      cursor.swallow();
      if (!cursor.takes('(')) throw cursor.saw("expected '('");
      condition = parseExpression(cursor);
      if (!cursor.takes(')')) throw cursor.saw("expected ')'");
    }
    const tail: PointTail = { components: [], isOptional, isSufficient, ...(condition && { condition }) };
    return combined(cursor, heads, [tail]);
  });
}

function combined(cursor: TokenCursor, heads: readonly PointTail[], tails: readonly PointTail[]): PointTail[] {
  if (heads.length * tails.length > POINTS_LIMIT) throw cursor.saw(`more than ${POINTS_LIMIT} probe points`);
  return heads.flatMap((head) =>
    tails.map((tail) => {
      const condition = tail.condition ?? head.condition;
      return {
        components: [...head.components, ...tail.components],
        isOptional: head.isOptional || tail.isOptional,
        isSufficient: head.isSufficient || tail.isSufficient,
        ...(condition && { condition }),
      };
    }),
  );
}

function parseBraces(cursor: TokenCursor): PointTail[] {
  cursor.swallow();
  const points: PointTail[] = [];
  for (;;) {
    for (const point of parseComponents(cursor)) points.push(point);
    if (cursor.takes(',')) continue;
    if (!cursor.takes('}')) throw cursor.saw("expected '}'");
    return points;
  }
}

function parseComponent(cursor: TokenCursor): PointComponent {
  const token = cursor.next();
  if (token.kind !== 'identifier' && token.kind !== 'keyword' && !isOperator(token, '*')) {
    throw cursor.saw("expected identifier or '*' or '{'");
  }
  const name = parseWildcards(cursor, token);
  const component = { name, place: token.place };
  if (!cursor.takes('(')) return component;
  const argument = parseLiteral(cursor);
  cursor.expect(')');
  return { ...component, argument };
}

/** Reads on in a name with `*`: it has the tokens that follow each other without a blank between them. */
function parseWildcards(cursor: TokenCursor, first: StapToken): string {
  let name = first.text;
  let last = first;
  for (;;) {
    const token = cursor.peek();
    const isNext = isAdjoining(last, token);
    const belongs =
      isOperator(token, '*') ||
      (isOperator(last, '*') && (token?.kind === 'identifier' || token?.kind === 'keyword' || token?.kind === 'number'));
    if (token === undefined || !isNext || !belongs) return name;
    cursor.swallow();
    name += token.text;
    last = token;
  }
}

function isAdjoining(before: StapToken, token: StapToken | undefined): boolean {
  return token?.place.line === before.place.line && token.place.column === before.place.column + before.text.length;
}

/** `global a[5], b = 1`, or what follows `private`. */
export function parseGlobals(cursor: TokenCursor, isPrivate: boolean, taken: ReadonlySet<string>): GlobalDefinition[] {
  const globals: GlobalDefinition[] = [];
  for (;;) {
    const token = cursor.peek();
    if (token === undefined) cursor.next();
    if (token?.kind !== 'identifier') throw cursor.saw('expected identifier');
    if (taken.has(token.text) || globals.some(({ name }) => name.text === token.text)) throw cursor.saw('duplicate global name');
    cursor.swallow();
    globals.push(parseGlobal(cursor, nameOf(token), isPrivate));
    if (cursor.takes(',')) continue;
    cursor.takes(';');
    return globals;
  }
}

const SIZE_LIMIT = 1_000_000n;

function parseGlobal(cursor: TokenCursor, name: Name, isPrivate: boolean): GlobalDefinition {
  const wraps = cursor.takes('%');
  let size: number | undefined;
  if (cursor.takes('[')) {
    const wanted = parseNumber(cursor);
    cursor.expect(']');
    if (wanted <= 0n || wanted > SIZE_LIMIT) {
      throw cursor.end('array size out of range');
    }
    size = Number(wanted);
  }
  const global = { name, isPrivate, wraps, ...(size !== undefined && { size }), place: name.place };
  if (!cursor.sees('=')) return global;
  if (size !== undefined || wraps) throw cursor.saw('only scalar globals can be initialized');
  cursor.next();
  return { ...global, initial: parseLiteral(cursor) };
}

/** Behind `function`. */
export function parseFunction(cursor: TokenCursor, isPrivate: boolean, place: StapPlace): FunctionDefinition {
  const name = cursor.next();
  // A type's name is no reserved word here.
  if (name.kind !== 'identifier' && !(name.kind === 'keyword' && (name.text === 'string' || name.text === 'long'))) {
    throw cursor.saw('expected identifier');
  }
  let token = cursor.next();
  let returns: DeclaredType | undefined;
  if (isOperator(token, ':')) {
    returns = parseType(cursor);
    token = cursor.next();
  }
  if (!isOperator(token, '(')) throw cursor.saw("expected '('");
  const parameters = parseParameters(cursor);
  let priority = 1n;
  const hasPriority = cursor.takes(':');
  if (hasPriority) {
    const literal = parseLiteral(cursor);
    cursor.peek();
    if (literal.kind !== 'long') throw cursor.saw('expected literal number');
    if (literal.value <= 0n) throw cursor.saw('specified priority must be > 0');
    priority = literal.value;
  }
  const body = parseFunctionBody(cursor);
  return {
    name: nameOf(name),
    isPrivate,
    parameters,
    ...(returns && { returns }),
    priority: Number(priority),
    hasPriority,
    body,
    place,
  };
}

function parseFunctionBody(cursor: TokenCursor): Block | EmbeddedCode {
  if (cursor.peek()?.kind !== 'embedded-code') return parseBlock(cursor, 'function');
  if (!cursor.isPrivileged) {
    const refusal = cursor.saw('embedded code in unprivileged script; need stap -g', 'embedded code', false);
    cursor.swallow();
    throw refusal;
  }
  return parseEmbedded(cursor);
}

function parseType(cursor: TokenCursor): DeclaredType {
  const token = cursor.next();
  if (token.kind !== 'keyword' || (token.text !== 'string' && token.text !== 'long'))
    throw cursor.saw("expected 'string' or 'long'");
  return token.text;
}

function parseParameters(cursor: TokenCursor): Parameter[] {
  const parameters: Parameter[] = [];
  for (;;) {
    const token = cursor.next();
    if (isOperator(token, ')')) return parameters;
    if (token.kind !== 'identifier') throw cursor.saw('expected identifier');
    if (parameters.some(({ text }) => text === token.text)) throw cursor.saw('duplicate parameter names');
    let end = cursor.next();
    let type: DeclaredType | undefined;
    if (isOperator(end, ':')) {
      type = parseType(cursor);
      end = cursor.next();
    }
    parameters.push({ ...nameOf(token), ...(type && { type }) });
    if (isOperator(end, ')')) return parameters;
    if (!isOperator(end, ',')) throw cursor.saw("expected ',' or ')'");
  }
}

function nameOf({ text, place }: StapToken): Name {
  return { text, place };
}
