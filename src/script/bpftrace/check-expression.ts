import type { AssignTarget, Comparison, LongOperator, ScriptExpression } from '../program.js';
import { type BpfType, FREE_INT64, INT64, kindName, sizeOf, typeName, UINT64, unify, VALUE } from './bpf-type.js';
import { checkCall } from './check-call.js';
import { checkFetch, checkName } from './check-names.js';
import type { Span } from './problem.js';
import type { HandlerScope, MapState } from './scopes.js';
import type { BinaryOperator, BpfExpression, CastType, MapNode, VariableNode } from './syntax-tree.js';
import { longOf, type Typed, textOf, toLong, toText, truthOf, UNKNOWN } from './typed.js';

type NodeOf<N extends BpfExpression['node']> = Extract<BpfExpression, { node: N }>;
type Checks = { readonly [N in BpfExpression['node']]: (node: NodeOf<N>, scope: HandlerScope) => Typed };

/** Checks an expression, and gives its code. What is wrong is noted; its code is then of no use. */
export function checkExpression(node: BpfExpression, scope: HandlerScope): Typed {
  return checkFetch(node, scope) ?? (CHECKS[node.node] as (node: BpfExpression, scope: HandlerScope) => Typed)(node, scope);
}

const CHECKS: Checks = {
  integer: ({ value }) => ({ type: INT64, code: longOf(value) }),
  string: (node, scope) => checkString(node, scope),
  name: ({ name, at }, scope) => checkName(name, at, scope),
  parameter: (node, scope) => checkParameter(node, scope),
  map: (node, scope) => readMap(node, scope),
  variable: (node, scope) => readVariable(node, scope),
  call: (node, scope) => checkCall(node, scope),
  size: (node, scope) => checkSize(node, scope),
  unary: (node, scope) => checkUnary(node, scope),
  step: (node, scope) => checkStep(node, scope),
  binary: ({ operator, left, right, at }, scope) =>
    checkBinary(
      operator,
      { node: left, ...checkExpression(left, scope) },
      { node: right, ...checkExpression(right, scope) },
      at,
      scope,
    ),
  choice: (node, scope) => checkChoice(node, scope),
  cast: (node, scope) => checkCast(node, scope),
  field: ({ of, name, at }, scope) => checkMember(of, name, textOf(name), at, scope),
  element: (node, scope) => checkElement(node, scope),
  subscript: (node, scope) => checkSubscript(node, scope),
  tuple: (node, scope) => checkTuple(node, scope),
};

function refuse(at: Span, { script }: HandlerScope, message: string): Typed {
  script.problem(at, message);
  return UNKNOWN;
}

function checkString({ value, at }: NodeOf<'string'>, scope: HandlerScope): Typed {
  const { textSize } = scope.script;
  const size = Buffer.byteLength(value) + 1;
  if (size > textSize) return refuse(at, scope, `String is too long (over ${textSize} bytes): ${value}`);
  return { type: { kind: 'string', size }, code: textOf(value) };
}

function checkParameter({ index, at }: NodeOf<'parameter'>, scope: HandlerScope): Typed {
  const { args = [] } = scope.script.options;
  if (index === 0) return { type: UINT64, code: longOf(args.length) };
  const text = args[index - 1] ?? '0';
  if (!/^-?(?:0[xX][0-9a-fA-F]+|\d+)$/.test(text)) {
    return refuse(at, scope, `$${index} used numerically but given "${text}". Try using str($${index}).`);
  }
  const value = BigInt(text.replace('-', ''));
  return { type: INT64, code: longOf(BigInt.asIntN(64, text.startsWith('-') ? -value : value)) };
}

/** The code of an element of a map, or of the map itself; its keys are noted. */
export function targetOf(node: MapNode, scope: HandlerScope): { readonly map: MapState; readonly target: AssignTarget } {
  const map = scope.script.map(node);
  const keys = (node.keys ?? []).map((key) => checkKey(key, scope));
  scope.script.useKeys(
    map,
    keys.map(({ type }) => type),
    node.at,
  );
  const target: AssignTarget =
    keys.length === 0 ? { op: 'global', id: map.id } : { op: 'element', id: map.id, keys: keys.map(({ code }) => code) };
  return { map, target };
}

function checkKey(node: BpfExpression, scope: HandlerScope): Typed {
  const key = checkExpression(node, scope);
  if (key.type.kind === 'tuple') {
    const message = 'tuple cannot be used as a map key. Try a multi-key associative array instead (eg `@map[$1, $2] = ...)`.';
    return refuse(node.at, scope, message);
  }
  if (key.type.kind === 'aggregate') return refuse(node.at, scope, `${key.type.name} cannot be used as a map key`);
  return key;
}

function readMap(node: MapNode, scope: HandlerScope): Typed {
  const { map, target } = targetOf(node, scope);
  if (map.type.kind === 'none') scope.script.late(node.at, `Undefined map: ${node.name}`);
  return { type: map.type, code: target };
}

function readVariable({ name, at }: VariableNode, scope: HandlerScope): Typed {
  const local = scope.variable(name);
  if (local === undefined) return refuse(at, scope, `Undefined or undeclared variable: ${name}`);
  return { type: local.type, code: { op: 'local', slot: local.slot } };
}

function checkSize({ of, at }: NodeOf<'size'>, scope: HandlerScope): Typed {
  if (of.node !== 'type') return { type: UINT64, code: longOf(sizeOf(checkExpression(of, scope).type)) };
  const size = sizeOfCast(of);
  return size === undefined ? refuse(at, scope, `Unknown type ${of.name}`) : { type: UINT64, code: longOf(size) };
}

function sizeOfCast({ name, isPointer }: CastType): 1 | 2 | 4 | 8 | undefined {
  const bits = /^u?int(8|16|32|64)$/.exec(name)?.[1];
  return isPointer ? 8 : bits === undefined ? undefined : ((Number(bits) / 8) as 1 | 2 | 4 | 8);
}

function checkUnary({ operator, of, at }: NodeOf<'unary'>, scope: HandlerScope): Typed {
  const value = checkExpression(of, scope);
  const { type } = value;
  if (type.kind === 'none') return UNKNOWN;
  if (operator === '*') {
    return refuse(at, scope, 'no pointer can be followed here: read a property, as args.NAME.PROPERTY');
  }
  if (operator === '!' && type.kind === 'value') return { type: INT64, code: { op: '!', of: value.code } };
  if (operator === '!' && type.kind === 'string' && type.isPointer)
    return { type: INT64, code: { op: '!', of: truthOf(value)! } };
  if (type.kind !== 'integer' && type.kind !== 'value') {
    return refuse(at, scope, `The ${operator} operator can not be used on expressions of type '${typeName(type)}'`);
  }
  return { type: widened(type), code: { op: operator, of: toLong(value) } };
}

/** What arithmetic makes of an integer. */
const widened = (type: BpfType): BpfType => (type.kind === 'integer' ? { ...type, size: 8 } : FREE_INT64);

/** `++` and `--`. */
function checkStep({ operator, isPost, of, at }: NodeOf<'step'>, scope: HandlerScope): Typed {
  const { script } = scope;
  const sign = operator === '++' ? '+' : '-';
  if (of.node === 'map') {
    const { map, target } = targetOf(of, scope);
    if (map.type.kind === 'none' || map.type.kind === 'string') script.assign(map, UINT64, of.at);
    if (map.type.kind !== 'integer' && map.type.kind !== 'value') {
      if (map.type.kind === 'none' || map.type.kind === 'string') return UNKNOWN;
      return refuse(at, scope, `The ${operator} operator can not be used on expressions of type '${typeName(map.type)}'`);
    }
    return step(map.type, target, sign, isPost, at, scope);
  }
  const local = scope.variable(of.name);
  if (local === undefined) return refuse(of.at, scope, `Undefined or undeclared variable: ${of.name}`);
  if (local.type.kind === 'none') return UNKNOWN;
  if (local.type.kind !== 'integer' && local.type.kind !== 'value') {
    return refuse(at, scope, `The ${operator} operator can not be used on expressions of type '${typeName(local.type)}'`);
  }
  return step(local.type, { op: 'local', slot: local.slot }, sign, isPost, at, scope);
}

function step(
  type: BpfType,
  target: AssignTarget,
  operator: '+' | '-',
  isPost: boolean,
  at: Span,
  { script }: HandlerScope,
): Typed {
  const place = script.place(at);
  const isPlain = type.kind === 'integer' && (type.size === 8 || target.op !== 'local');
  if (isPlain) return { type: widened(type), code: { op: 'update', target, operator, value: longOf(1), isPost, place } };
  const next: ScriptExpression = { op: 'binary', operator, left: toLong({ type, code: target }), right: longOf(1), place };
  const code: ScriptExpression = { op: 'assign', target, value: narrowed(type, next) };
  const back = operator === '+' ? '-' : '+';
  const old: ScriptExpression = { op: 'binary', operator: back, left: code, right: longOf(1), place };
  return { type: widened(type), code: isPost ? old : code };
}

/** Code cut to the size of an integer variable. */
export const narrowed = (type: BpfType, code: ScriptExpression): ScriptExpression =>
  type.kind === 'integer' && type.size < 8 ? { op: 'to long', of: code, size: type.size, isSigned: type.isSigned } : code;

/** An operand, and what was written for it. */
interface Operand extends Typed {
  readonly node: BpfExpression;
}

const COMPARED: readonly string[] = ['==', '!=', '<', '<=', '>', '>='] satisfies Comparison[];

/** Checks an operator between two checked expressions. */
export function checkBinary(operator: BinaryOperator, left: Operand, right: Operand, at: Span, scope: HandlerScope): Typed {
  const [a, b] = [left.type, right.type];
  if (a.kind === 'none' || b.kind === 'none') return UNKNOWN;
  const areNumbers = isNumber(a) && isNumber(b);
  if (operator === '&&' || operator === '||') return checkLogic(operator, left, right, at, scope);
  const isComparison = COMPARED.includes(operator);
  if (areNumbers && !isComparison) return checkArithmetic(operator as LongOperator, left, right, at, scope);
  if (areNumbers && !(a.kind === 'value' && b.kind === 'value' && (operator === '==' || operator === '!='))) {
    warnOfSigns('comparison of', left, right, at, scope);
    const isUnsigned = !isFree(a, b) && !areSigned(left, right);
    const code: ScriptExpression = {
      op: 'compare',
      operator: operator as Comparison,
      of: 'long',
      left: toLong(left),
      right: toLong(right),
      ...(isUnsigned ? { isUnsigned } : {}),
    };
    return { type: resultOf(a, b), code };
  }
  if (areTexts(a, b) && (operator === '==' || operator === '!=')) {
    return { type: INT64, code: { op: 'compare', operator, of: 'string', left: toText(left), right: toText(right) } };
  }
  const pointer = isNull(left.node) ? right : isNull(right.node) ? left : undefined;
  if (pointer?.type.kind === 'string' && pointer.type.isPointer && (operator === '==' || operator === '!=')) {
    return { type: INT64, code: { op: 'compare', operator, of: 'string', left: pointer.code, right: textOf('') } };
  }
  return refuseOperands(operator, left, right, at, scope);
}

const isNumber = ({ kind }: BpfType): boolean => kind === 'integer' || kind === 'value';
const isNull = (node: BpfExpression): boolean => node.node === 'integer' && node.value === 0n;
const isComparable = (type: BpfType): boolean =>
  type.kind === 'string' || type.kind === 'value' || (type.kind === 'text' && type.name !== 'timestamp');
const areTexts = (a: BpfType, b: BpfType): boolean => isComparable(a) && isComparable(b);
const isFree = (...types: readonly BpfType[]): boolean =>
  types.some((type) => type.kind === 'value' || ('wasValue' in type && type.wasValue));

function refuseOperands(operator: string, left: Operand, right: Operand, at: Span, scope: HandlerScope): Typed {
  const [a, b] = [left.type, right.type];
  if (a.kind !== b.kind && a.kind !== 'value' && b.kind !== 'value') {
    const both = { from: Math.min(left.node.at.from, right.node.at.from), to: Math.max(left.node.at.to, right.node.at.to) };
    return refuse(both, scope, `Type mismatch for '${operator}': comparing '${typeName(a)}' with '${typeName(b)}'`);
  }
  return refuse(at, scope, `The ${operator} operator can not be used on expressions of types ${typeName(a)}, ${typeName(b)}`);
}

function checkLogic(operator: '&&' | '||', left: Operand, right: Operand, at: Span, scope: HandlerScope): Typed {
  const [a, b] = [truthOf(left), truthOf(right)];
  if (a === undefined || b === undefined) return refuseOperands(operator, left, right, at, scope);
  return { type: INT64, code: { op: operator, left: a, right: b } };
}

/** Whether a number is written there that is not negative: it can be of either sign. */
const isPlainNumber = (node: BpfExpression): boolean => node.node === 'integer' && node.value >= 0n;
const isSigned = ({ type }: Operand): boolean => type.kind !== 'integer' || type.isSigned;
const areSigned = (left: Operand, right: Operand): boolean => isSigned(left) && isSigned(right);

function resultOf(a: BpfType, b: BpfType): BpfType {
  if (isFree(a, b)) return FREE_INT64;
  return a.kind === 'integer' && b.kind === 'integer' && a.isSigned && b.isSigned ? INT64 : UINT64;
}

function warnOfSigns(what: string, left: Operand, right: Operand, at: Span, { script }: HandlerScope): void {
  if (isFree(left.type, right.type) || isSigned(left) === isSigned(right)) return;
  const signed = isSigned(left) ? left : right;
  if (isPlainNumber(signed.node)) return;
  const [a, b] = [typeName(left.type), typeName(right.type)];
  if (script.isLast) script.warn(at, `${what} integers of different signs: '${a}' and '${b}' can lead to undefined behavior`);
}

/** bpftrace divides and shifts to the right without a sign; here only what never was a value of the program. */
function checkArithmetic(operator: LongOperator, left: Operand, right: Operand, at: Span, scope: HandlerScope): Typed {
  const { script } = scope;
  const free = isFree(left.type, right.type);
  const isDivision = operator === '/' || operator === '%';
  if (isDivision || operator === '+' || operator === '-' || operator === '*') {
    warnOfSigns('arithmetic on', left, right, at, scope);
  }
  const needsSign = [left, right].some((operand) => isSigned(operand) && !isPlainNumber(operand.node));
  if (isDivision && needsSign && !free && script.isLast) {
    script.warn(at, `signed operands for '${operator}' can lead to undefined behavior (cast to unsigned to silence warning)`);
  }
  const code: ScriptExpression = {
    op: 'binary',
    operator: operator === '>>' && !free ? '>>>' : operator,
    left: toLong(left),
    right: toLong(right),
    ...(isDivision && !free ? { isUnsigned: true } : {}),
    place: script.place(at),
  };
  return { type: resultOf(left.type, right.type), code };
}

function checkChoice({ condition, yes, no, at }: NodeOf<'choice'>, scope: HandlerScope): Typed {
  const asked = checkExpression(condition, scope);
  const [a, b] = [checkExpression(yes, scope), checkExpression(no, scope)];
  const truth = truthOf(asked);
  if (truth === undefined && asked.type.kind !== 'none')
    refuse(at, scope, `Invalid condition in ternary: ${kindName(asked.type)}`);
  if (truth === undefined || a.type.kind === 'none' || b.type.kind === 'none') return UNKNOWN;
  const both = unify(a.type, b.type);
  if (both === undefined) {
    return refuse(at, scope, `Ternary operator must return the same type: have '${kindName(a.type)}' and '${kindName(b.type)}'`);
  }
  if (both.kind !== 'integer' && both.kind !== 'string' && both.kind !== 'value') {
    return refuse(at, scope, `Ternary return type unsupported ${kindName(both)}`);
  }
  const type = both.kind === 'integer' ? resultOf(a.type, b.type) : both;
  return { type, code: { op: 'choose', condition: truth, yes: a.code, no: b.code } };
}

function checkCast({ type, of }: NodeOf<'cast'>, scope: HandlerScope): Typed {
  const value = checkExpression(of, scope);
  const { name, isPointer, at } = type;
  const size = sizeOfCast(type);
  if (size === undefined || (isPointer && !/^u?int/.test(name))) {
    const kind = name.split(' ').length > 1 ? name : `'${name}'`;
    const told = `Unknown struct/union: ${kind === name ? `'${name}'` : kind}`;
    return refuse(at, scope, `${told}: what a program of JavaScript holds has no struct; read a property, as args.NAME.PROPERTY`);
  }
  if (isPointer) return refuse(at, scope, 'no pointer can be followed here: read a property, as args.NAME.PROPERTY');
  if (value.type.kind === 'none') {
    scope.script.late(at, 'Cannot cast from "none" type');
    return UNKNOWN;
  }
  if (!isNumber(value.type)) return refuse(at, scope, `Casts are not supported for type: "${typeName(value.type)}"`);
  const isSignedType = name.startsWith('int');
  const wasValue = isFree(value.type) && isSignedType ? { wasValue: true } : {};
  const isWhole = size === 8 && value.type.kind === 'integer';
  return {
    type: { kind: 'integer', size, isSigned: isSignedType, ...wasValue },
    code: isWhole ? value.code : { op: 'to long', of: value.code, size, isSigned: isSignedType },
  };
}

function checkMember(of: BpfExpression, name: string, key: ScriptExpression, at: Span, scope: HandlerScope): Typed {
  const value = checkExpression(of, scope);
  const { type } = value;
  if (type.kind === 'none') return UNKNOWN;
  if (type.kind === 'value') return { type: VALUE, code: { op: 'member', of: value.code, key } };
  if (type.kind === 'tuple') return refuse(at, scope, 'Tuples must be indexed with a constant and non-negative integer');
  return refuse(at, scope, `Can not access field '${name}' on expression of type '${typeName(type)}'`);
}

function checkElement({ of, index, at }: NodeOf<'element'>, scope: HandlerScope): Typed {
  const value = checkExpression(of, scope);
  const { type } = value;
  if (type.kind === 'none') return UNKNOWN;
  if (type.kind === 'value') return { type: VALUE, code: { op: 'member', of: value.code, key: textOf(String(index)) } };
  if (type.kind !== 'tuple') return refuse(at, scope, `Can not access index ${index} on expression of type '${typeName(type)}'`);
  const element = type.elements[index];
  if (element === undefined) {
    return refuse(at, scope, `Invalid tuple index: ${index}. Found ${type.elements.length} elements in tuple.`);
  }
  return { type: element, code: { op: 'tuple element', of: value.code, index } };
}

function checkSubscript({ of, index, at }: NodeOf<'subscript'>, scope: HandlerScope): Typed {
  const key = checkExpression(index, scope);
  const value = checkExpression(of, scope);
  if (value.type.kind === 'none' || key.type.kind === 'none') return UNKNOWN;
  if (value.type.kind === 'value') return { type: VALUE, code: { op: 'member', of: value.code, key: toText(key) } };
  return refuse(at, scope, `The array index operator [] can only be used on arrays and pointers, found ${typeName(value.type)}.`);
}

function checkTuple({ elements }: NodeOf<'tuple'>, scope: HandlerScope): Typed {
  const checked = elements.map((element) => checkExpression(element, scope));
  if (checked.some(({ type }) => type.kind === 'none')) return UNKNOWN;
  const bad = checked.findIndex(({ type }) => type.kind === 'aggregate');
  if (bad !== -1) return refuse(elements[bad]!.at, scope, `A tuple cannot hold ${typeName(checked[bad]!.type)}`);
  const type: BpfType = { kind: 'tuple', elements: checked.map((element) => element.type) };
  return { type, code: { op: 'tuple', elements: checked.map(({ code }) => code) } };
}
