import type { HistogramShape, LongOperator, ScriptExpression, ScriptStatement } from '../program.js';
import { AGGREGATES, type AggregateName, type BpfType, kindName, typeName, UINT64 } from './bpf-type.js';
import { type CallNode, hasCount, literalOf, longArgument, refuse } from './check-call.js';
import { checkBinary, checkExpression, narrowed, targetOf } from './check-expression.js';
import { checkVoidCall } from './check-print.js';
import type { Span } from './problem.js';
import type { HandlerScope, MapState } from './scopes.js';
import type { BpfExpression, BpfStatement, MapNode, VariableNode } from './syntax-tree.js';
import { longOf, type Typed, toLong, truthOf } from './typed.js';

type StatementOf<D extends BpfStatement['do']> = Extract<BpfStatement, { do: D }>;
type Code = readonly ScriptStatement[];
type Checks = { readonly [D in BpfStatement['do']]: (statement: StatementOf<D>, scope: HandlerScope) => Code };

/** Checks the statements of a block, and gives their code. */
export const checkBlock = (statements: readonly BpfStatement[], scope: HandlerScope): Code =>
  statements.flatMap((statement) =>
    (CHECKS[statement.do] as (statement: BpfStatement, scope: HandlerScope) => Code)(statement, scope),
  );

const CHECKS: Checks = {
  expression: ({ expression }, scope) => checkAlone(expression, scope),
  assign: (statement, scope) => checkAssign(statement, scope),
  if: ({ condition, yes, no }, scope) => [
    {
      do: 'if',
      condition: checkCondition(condition, 'if()', scope),
      yes: checkBlock(yes, scope),
      no: checkBlock(no, scope),
    },
  ],
  while: ({ condition, body }, scope) => [
    { do: 'while', condition: checkCondition(condition, 'while()', scope), body: inLoop(body, scope) },
  ],
  unroll: (statement, scope) => checkUnroll(statement, scope),
  break: ({ at }, scope) => checkJump('break', at, scope),
  continue: ({ at }, scope) => checkJump('continue', at, scope),
  return: () => [{ do: 'next' }],
};

function checkCondition(node: BpfExpression, where: string, scope: HandlerScope): ScriptExpression {
  const value = checkExpression(node, scope);
  const truth = truthOf(value);
  if (truth === undefined && value.type.kind !== 'none') {
    scope.script.problem(node.at, `Invalid condition in ${where}: ${kindName(value.type)}`);
  }
  return truth ?? longOf(0);
}

/** Checks a predicate: the handler's condition. */
export function checkPredicate(node: BpfExpression, at: Span, scope: HandlerScope): ScriptExpression {
  const value = checkExpression(node, scope);
  const truth = truthOf(value);
  if (truth === undefined && value.type.kind !== 'none') {
    scope.script.problem(at, `Invalid type for predicate: ${kindName(value.type)}`);
  }
  return truth ?? longOf(0);
}

function inLoop(body: readonly BpfStatement[], scope: HandlerScope): Code {
  scope.loops++;
  const code = checkBlock(body, scope);
  scope.loops--;
  return code;
}

function checkJump(what: 'break' | 'continue', at: Span, { script, loops }: HandlerScope): Code {
  if (loops === 0) script.problem(at, `${what} used outside of a loop`);
  return [{ do: what }];
}

/** An expression whose value nobody takes: what it does. */
function checkAlone(node: BpfExpression, scope: HandlerScope): Code {
  const done = checkVoidCall(node, scope);
  if (done !== undefined) return done;
  if (node.node !== 'choice') return [{ do: 'expression', expression: checkExpression(node, scope).code }];
  const [yes, no] = [node.yes, node.no].map((branch) => checkAlone(branch, scope));
  return [{ do: 'if', condition: checkCondition(node.condition, 'ternary', scope), yes: yes!, no: no! }];
}

const FEWEST = 1n;
const MOST = 100n;

/** The block so many times: a loop that counts. */
function checkUnroll({ count, body, at }: StatementOf<'unroll'>, scope: HandlerScope): Code {
  const { code } = checkExpression(count, scope);
  const times = code.op === '-' && code.of.op === 'long' ? -code.of.value : code.op === 'long' ? code.value : 0n;
  if (times < FEWEST) scope.script.problem(at, `unroll minimum value is ${FEWEST}`);
  if (times > MOST) scope.script.problem(at, `unroll maximum value is ${MOST}`);
  const { loops } = scope;
  scope.loops = 0;
  const statements = checkBlock(body, scope);
  scope.loops = loops;
  const target = { op: 'local', slot: scope.addLocal('long') } as const;
  const place = scope.script.place(at);
  return [
    { do: 'expression', expression: { op: 'assign', target, value: longOf(0) } },
    {
      do: 'while',
      condition: { op: 'compare', operator: '<', of: 'long', left: target, right: longOf(times) },
      body: statements,
      step: { op: 'update', target, operator: '+', value: longOf(1), isPost: false, place },
    },
  ];
}

function checkAssign(statement: StatementOf<'assign'>, scope: HandlerScope): Code {
  const { to, operator, value, at } = statement;
  if (operator !== undefined) return checkUpdate(to, operator, value, at, scope);
  if (to.node === 'map' && value.node === 'call' && (AGGREGATES as readonly string[]).includes(value.name)) {
    return checkSample(to, value, scope);
  }
  return assign(to, checkExpression(value, scope), value.at, at, scope);
}

function assign(to: MapNode | VariableNode, value: Typed, valueAt: Span, at: Span, scope: HandlerScope): Code {
  const { script } = scope;
  const { type, code } = value;
  if (type.kind === 'aggregate') {
    script.problem(valueAt, `Map value '${typeName(type)}' cannot be assigned: only print(), clear() and zero() take its map`);
    return [];
  }
  if (to.node === 'variable') {
    if (type.kind === 'none') scope.assignUnknown(to.name);
    if (type.kind === 'none') return [];
    const local = scope.assign(to.name, type, at);
    if (local === undefined) return [];
    const target = { op: 'local', slot: local.slot } as const;
    return [{ do: 'expression', expression: { op: 'assign', target, value: narrowed(local.type, fitted(local.type, value)) } }];
  }
  const { map, target } = targetOf(to, scope);
  script.assign(map, type, to.at);
  if (map.type.kind === 'none') script.late(to.at, `Undefined map: ${to.name}`);
  return [{ do: 'expression', expression: { op: 'assign', target, value: code } }];
}

/** A value as a variable of a type holds it. */
const fitted = (type: BpfType, value: Typed): ScriptExpression => (type.kind === 'integer' ? toLong(value) : value.code);

/** `+=` and the like. */
function checkUpdate(
  to: MapNode | VariableNode,
  operator: Exclude<LongOperator, '>>>'>,
  value: BpfExpression,
  at: Span,
  scope: HandlerScope,
): Code {
  const { script } = scope;
  if (to.node === 'map' && script.map(to).type.kind === 'none') script.assign(script.map(to), UINT64, to.at);
  const left = checkExpression(to, scope);
  const right = checkExpression(value, scope);
  const result = checkBinary(operator, { node: to, ...left }, { node: value, ...right }, at, scope);
  if (result.type.kind === 'none' || result.code.op !== 'binary') return [];
  const { code } = result;
  const target = code.left;
  const isWhole = left.type.kind === 'integer' && (left.type.size === 8 || to.node === 'map');
  if (isWhole && code.isUnsigned !== true && (target.op === 'global' || target.op === 'element' || target.op === 'local')) {
    const update = {
      op: 'update',
      target,
      operator: code.operator,
      value: code.right,
      isPost: false,
      place: script.place(at),
    } as const;
    return [{ do: 'expression', expression: update }];
  }
  return assign(to, { type: left.type.kind === 'value' ? result.type : left.type, code }, value.at, at, scope);
}

/** `@x = count()`, `@x[key] = hist(value)` and the like. */
function checkSample(to: MapNode, call: CallNode, scope: HandlerScope): Code {
  const name = call.name as AggregateName;
  const { map, target } = targetOf(to, scope);
  scope.script.assign(map, { kind: 'aggregate', name }, to.at);
  const value = sampleOf(name, call, map, scope);
  if (value === undefined) return [];
  const keys = target.op === 'element' ? target.keys : [];
  return [{ do: 'expression', expression: { op: 'add sample', id: map.id, keys, value } }];
}

function sampleOf(name: AggregateName, call: CallNode, map: MapState, scope: HandlerScope): ScriptExpression | undefined {
  if (name === 'count') return hasCount(call, 0, 0, scope) ? longOf(1) : undefined;
  if (name === 'lhist') return hasCount(call, 4, 4, scope) ? linearSample(call, map, scope) : undefined;
  if (!hasCount(call, 1, 1, scope)) return undefined;
  if (name === 'hist') map.histogram = { kind: 'log2' };
  return longArgument(call, call.args[0]!, scope);
}

const MOST_BUCKETS = 1000n;

function linearSample(call: CallNode, map: MapState, scope: HandlerScope): ScriptExpression | undefined {
  const value = longArgument(call, call.args[0]!, scope);
  const [from, to, step] = call.args.slice(1).map((arg) => literalOf(call, arg, scope));
  if (value === undefined || from === undefined || to === undefined || step === undefined) return undefined;
  const problems = problemsOfRange(from, to, step);
  for (const problem of problems) refuse(call, scope, `lhist() ${problem}`);
  if (problems.length > 0) return undefined;
  const shape: HistogramShape = { kind: 'linear', from: Number(from), to: Number(to), step: Number(step) };
  if (map.histogram !== undefined && JSON.stringify(map.histogram) !== JSON.stringify(shape)) {
    refuse(call, scope, `lhist() has other bounds than elsewhere for ${map.name}`);
    return undefined;
  }
  map.histogram = shape;
  return value;
}

function problemsOfRange(from: bigint, to: bigint, step: bigint): readonly string[] {
  const problems: string[] = [];
  if (step <= 0n) problems.push(`step must be >= 1 (${step} provided)`);
  else if ((to - from) / step > MOST_BUCKETS) {
    problems.push(`too many buckets, must be <= ${MOST_BUCKETS} (would need ${(to - from) / step})`);
  }
  if (from < 0n) problems.push(`min must be non-negative (provided min ${from})`);
  if (from > to) problems.push(`min must be less than max (provided min ${from} and max ${to})`);
  if (step > 0n && to - from < step)
    problems.push(`step is too large for the given range (provided step ${step} for range ${to - from})`);
  return problems;
}
