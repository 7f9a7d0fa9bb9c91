import type { Extractor, ScriptExpression, ScriptStatement, VisitOrder } from '../../program.js';
import type { DeleteStatement, ForeachStatement, HistogramExpression, Statement } from '../syntax-tree.js';
import { bindKey } from './bind-array.js';
import { bindCondition, bindEffect, bindExpression, isDefined } from './bind-expression.js';
import { bindPrint } from './bind-print.js';
import { bindHistogram } from './bind-stats.js';
import type { BodyScope } from './body-scope.js';
import { type BoundStatement, buildAs, typeOf } from './bound.js';
import { firstTokenOf, placeOf, tokenOfExpression } from './expression-token.js';
import { foldCondition } from './fold-condition.js';
import { refuse, type ScriptToken } from './semantic-error.js';
import { TypeCell } from './type-cell.js';
import { agree } from './type-rules.js';

type Of<K extends Statement['kind']> = Extract<Statement, { kind: K }>;
type Binders = { readonly [K in Statement['kind']]: (statement: Of<K>, scope: BodyScope) => BoundStatement };

const LONG = TypeCell.of('long');
const NOTHING: BoundStatement = () => [];

const keyword = ({ place }: { readonly place: ScriptToken['place'] }): ScriptToken => ({ token: 'keyword', place });

/** Binds the statements of a block, as one list. */
export function bindBlock(statements: readonly Statement[], scope: BodyScope): BoundStatement {
  const bound = statements.map((statement) => bindStatement(statement, scope));
  return () => bound.flatMap((one) => one());
}

/** Binds the body of a loop, which `break` and `continue` may leave. */
function bindLoop(body: Statement, scope: BodyScope): BoundStatement {
  scope.loops++;
  const bound = bindStatement(body, scope);
  scope.loops--;
  return bound;
}

/** The value of an aggregate in foreach is no local. */
function bindForeach(statement: ForeachStatement, scope: BodyScope): BoundStatement {
  const { over, keys, value, slice, order, limit, body } = statement;
  const at = keyword(statement);
  if (over.kind !== 'symbol') return bindBuckets(statement, over, scope);
  const token = tokenOfExpression(over);
  const global = scope.arrayOf(over.name, keys.length, token);
  const cells = global.useWith(keys.length, token);
  global.isRead = true;
  const locals = keys.map(({ name, place }, i) => {
    const local = scope.local(name, { token: `identifier '${name}'`, place });
    local.isAssigned = true;
    agree(local.cell, cells[i]!, local.token);
    return local;
  });
  const valueLocal = value === undefined ? undefined : scope.local(value.name, tokenOfExpression(value));
  if (valueLocal !== undefined) {
    valueLocal.isAssigned = true;
    if (global.cell.known === 'stats') valueLocal.cell.be('long');
    else agree(valueLocal.cell, global.cell, valueLocal.token);
  }
  const sliced = slice?.map((key, i) => (key === undefined ? undefined : bindKey(key, cells[i]!, scope)));
  const most = limit === undefined ? undefined : bindExpression(limit, scope);
  if (most !== undefined) agree(LONG, most.cell, most.token);
  scope.visited.push(global);
  const inner = bindLoop(body, scope);
  scope.visited.pop();
  return () => [
    {
      do: 'foreach',
      id: global.id,
      keys: locals.map(({ slot }) => slot),
      ...(valueLocal !== undefined && { value: valueLocal.slot }),
      ...(sliced !== undefined && {
        slice: sliced.map((key, i) => (key === undefined ? undefined : buildAs(key, typeOf(cells[i]!)))),
      }),
      ...(order !== undefined && { order: visitOrder(order, global.cell.known === 'stats') }),
      ...(most !== undefined && { limit: buildAs(most, 'long') }),
      body: inner(),
      place: placeOf(at),
    },
  ];
}

/** The buckets of a histogram, in their order whatever is said of it, as they are where the loop begins. */
function bindBuckets(statement: ForeachStatement, over: HistogramExpression, scope: BodyScope): BoundStatement {
  const { keys, value, slice, limit, body } = statement;
  const at = keyword(statement);
  const { global, keys: built } = bindHistogram(over, scope);
  const [key] = keys;
  if (key === undefined || keys.length > 1 || slice !== undefined) {
    return refuse('not here', ['the buckets of a histogram have one key each'], at);
  }
  const locals = [key, ...(value === undefined ? [] : [value])].map((one) => {
    const local = scope.local(one.name, tokenOfExpression(one));
    local.isAssigned = true;
    agree(local.cell, LONG, local.token);
    return local.slot;
  });
  const most = limit === undefined ? undefined : bindExpression(limit, scope);
  if (most !== undefined) agree(LONG, most.cell, most.token);
  const inner = bindLoop(body, scope);
  return () => [
    {
      do: 'foreach bucket',
      id: global.id,
      keys: built(),
      bucket: locals[0]!,
      ...(locals[1] !== undefined && { value: locals[1] }),
      ...(most !== undefined && { limit: buildAs(most, 'long') }),
      body: inner(),
      place: placeOf(at),
    },
  ];
}

/** A sorted aggregate is sorted by its count, unless something else is said. */
const visitOrder = (order: NonNullable<ForeachStatement['order']>, isStats: boolean): VisitOrder => {
  const extract: Extractor | undefined = order.extract ?? (isStats && order.by === 0 ? 'count' : undefined);
  return { by: order.by, isDescending: order.isDescending, ...(extract !== undefined && { extract }) };
};

function bindDelete({ target, place }: DeleteStatement, scope: BodyScope): BoundStatement {
  const token = tokenOfExpression(target);
  const at = placeOf({ token: 'keyword', place });
  if (target.kind === 'symbol') {
    const global = scope.localOrGlobal(target.name, token);
    if ('slot' in global) {
      return () => [
        { do: 'expression', expression: { op: 'assign', target: { op: 'local', slot: global.slot }, value: zero(global.cell) } },
      ];
    }
    global.isWritten = true;
    scope.checkChange(global, token);
    return () => [{ do: 'delete', id: global.id, place: at }];
  }
  if (target.kind !== 'index' || target.of.kind !== 'symbol') return refuse('delete operand', [], token);
  const global = scope.arrayOf(target.of.name, target.keys.length, token);
  const cells = global.useWith(target.keys.length, token);
  global.isWritten = true;
  scope.checkChange(global, token);
  const keys = target.keys.map((key, i) => (key === undefined ? undefined : bindKey(key, cells[i]!, scope)));
  return () => [
    {
      do: 'delete',
      id: global.id,
      keys: keys.map((key, i) => (key === undefined ? undefined : buildAs(key, typeOf(cells[i]!)))),
      place: at,
    },
  ];
}

const zero = (cell: TypeCell): ScriptExpression =>
  typeOf(cell) === 'string' ? { op: 'string', value: '' } : { op: 'long', value: 0n };

/** `next` in a function calls the next one of its name, with the same arguments. */
function bindNext(statement: Of<'break' | 'continue' | 'next'>, scope: BodyScope): BoundStatement {
  const one = scope.function;
  const at = keyword(statement);
  const place = placeOf(at);
  if (statement.kind !== 'next' && scope.loops === 0) return refuse('no loop', [statement.kind], at);
  if (statement.kind !== 'next' || one === undefined) return () => [{ do: statement.kind, place }];
  const { following } = one;
  if (following === undefined) {
    const message = `all functions exhausted`;
    return () => [
      {
        do: 'expression',
        expression: { op: 'builtin', name: 'error', args: [{ op: 'string', value: message }], place },
        place,
      },
    ];
  }
  following.returns.join(one.returns);
  for (const [i, { cell }] of one.parameters.entries()) cell.join(following.parameters[i]!.cell);
  return () => [
    {
      do: 'return',
      value: {
        op: 'call',
        index: following.index,
        args: one.parameters.map(({ slot }) => ({ op: 'local', slot })),
      },
      place,
    },
  ];
}

const BINDERS: Binders = {
  block: ({ statements }, scope) => bindBlock(statements, scope),
  embedded: ({ place }) => refuse('embedded', ['Write it in the language of the script'], { token: 'embedded-code', place }),
  empty: () => NOTHING,
  expression({ expression }, scope) {
    const at = placeOf(firstTokenOf(expression));
    if (expression.kind === 'print' && !expression.isText) {
      const print = bindPrint(expression, scope);
      return () => [{ do: 'print', ...print.build(), place: at }];
    }
    const bound = bindEffect(expression, scope);
    return () => [{ do: 'expression', expression: bound.build(), place: at }];
  },
  if(statement, scope) {
    const { condition, yes, no } = statement;
    const folded = foldCondition(condition, (of) => isDefined(of, scope));
    if (folded !== undefined) {
      const taken = folded ? yes : no;
      return taken === undefined ? NOTHING : bindStatement(taken, scope);
    }
    const built = bindCondition(condition, scope);
    const [then, otherwise] = [bindStatement(yes, scope), no === undefined ? NOTHING : bindStatement(no, scope)];
    return () => [{ do: 'if', condition: built(), yes: then(), no: otherwise(), place: placeOf(keyword(statement)) }];
  },
  while(statement, scope) {
    const condition = bindCondition(statement.condition, scope);
    const body = bindLoop(statement.body, scope);
    return () => [{ do: 'while', condition: condition(), body: body(), place: placeOf(keyword(statement)) }];
  },
  for(statement, scope) {
    const { init, condition, step } = statement;
    const place = placeOf(keyword(statement));
    const first = init === undefined ? undefined : bindEffect(init, scope);
    const holds = condition === undefined ? (): ScriptExpression => ({ op: 'long', value: 1n }) : bindCondition(condition, scope);
    const next = step === undefined ? undefined : bindEffect(step, scope);
    const body = bindLoop(statement.body, scope);
    return (): ScriptStatement[] => [
      ...(first === undefined ? [] : [{ do: 'expression', expression: first.build(), place } as const]),
      {
        do: 'while',
        condition: holds(),
        body: body(),
        ...(next !== undefined && { step: next.build() }),
        place,
      },
    ];
  },
  foreach: bindForeach,
  break: (statement, scope) => bindNext(statement as Of<'break' | 'continue' | 'next'>, scope),
  continue: (statement, scope) => bindNext(statement as Of<'break' | 'continue' | 'next'>, scope),
  next: (statement, scope) => bindNext(statement as Of<'break' | 'continue' | 'next'>, scope),
  return(statement, scope) {
    const { value } = statement;
    const place = placeOf(keyword(statement));
    const one = scope.function;
    if (one === undefined) return () => [{ do: 'next', place }];
    if (value === undefined) return () => [{ do: 'return', place }];
    const bound = bindExpression(value, scope);
    agree(one.returns, bound.cell, bound.token);
    one.returnsValue = true;
    return () => [{ do: 'return', value: buildAs(bound, typeOf(one.returns)), place }];
  },
  delete: bindDelete,
  try(statement, scope) {
    const body = bindStatement(statement.body, scope);
    const { caught } = statement;
    const local = caught === undefined ? undefined : scope.localOrGlobal(caught.name, tokenOfExpression(caught));
    if (local !== undefined) {
      if (!('slot' in local))
        return refuse('not here', ['the message of an error goes into a local variable'], keyword(statement));
      local.isAssigned = true;
      agree(local.cell, TypeCell.of('string'), local.token);
    }
    const handler = bindStatement(statement.handler, scope);
    return () => [
      {
        do: 'try',
        body: body(),
        ...(local !== undefined && { caught: (local as { readonly slot: number }).slot }),
        handler: handler(),
        place: placeOf(keyword(statement)),
      },
    ];
  },
};

/** Finds the names of a statement. @throws SemanticError */
export function bindStatement(statement: Statement, scope: BodyScope): BoundStatement {
  return (BINDERS[statement.kind] as (one: Statement, scope: BodyScope) => BoundStatement)(statement, scope);
}
