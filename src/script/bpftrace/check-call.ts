import type { ScriptExpression } from '../program.js';
import { AGGREGATES, type BpfType, isText, kindName, typeName, UINT64 } from './bpf-type.js';
import { builtin, stackOf } from './check-names.js';
import { similarTo } from './near-names.js';
import type { HandlerScope } from './scopes.js';
import type { BpfExpression } from './syntax-tree.js';
import { longOf, type Typed, textOf, toLong, toText, UNKNOWN } from './typed.js';

export type CallNode = Extract<BpfExpression, { node: 'call' }>;

/** Functions that give nothing: they stand alone (check-print.ts). */
export const VOID_CALLS = ['printf', 'print', 'clear', 'zero', 'delete', 'time', 'join', 'exit'] as const;

const NO_POINTERS = 'a program of JavaScript has no addresses to read';
/** Functions of bpftrace that cannot be had, and what can be used. */
const REFUSED: Readonly<Record<string, string>> = {
  system: 'fentry runs no command: read the output of fentry bpftrace with a program of your own',
  signal: 'a script changes nothing of the program: use kill(1) on what it prints',
  override: 'a script changes nothing of the program: use fail_function of fentry',
  cat: 'no file is read for a script: print a line, and read the file where you read the output',
  cgroup_path: 'use pid',
  cgroupid: 'use pid',
  kaddr: `${NO_POINTERS}: use fetches of kprobe_events for variables of a module`,
  uaddr: `${NO_POINTERS}: use fetches of kprobe_events for variables of a module`,
  kptr: NO_POINTERS,
  uptr: NO_POINTERS,
  reg: 'functions of JavaScript have no registers: use arg0 or args.NAME',
  macaddr: `${NO_POINTERS}: print a text of the program with %s`,
  pton: 'addresses of sockets are texts in Node.js: compare with a text',
  path: `${NO_POINTERS}: print a text of the program with %s`,
  skboutput: 'there are no packets here: print what is of interest',
  unwatch: 'no variable of JavaScript can be watched',
};
const UNSAFE = ['system', 'signal', 'override'];

interface CallRow {
  /** How many arguments it takes. */
  readonly count: readonly [least: number, most: number];
  readonly check: (node: CallNode, scope: HandlerScope) => Typed;
}

/** Functions that give a value. */
const CALLS: Readonly<Record<string, CallRow>> = {
  str: { count: [1, 2], check: (node, scope) => checkStr(node, scope) },
  ksym: { count: [1, 1], check: (node, scope) => checkSymbol(node, 'ksym', scope) },
  usym: { count: [1, 1], check: (node, scope) => checkSymbol(node, 'usym', scope) },
  kstack: { count: [0, 2], check: (node, scope) => checkStack(node, 'kstack', scope) },
  ustack: { count: [0, 2], check: (node, scope) => checkStack(node, 'ustack', scope) },
  strftime: { count: [2, 2], check: (node, scope) => checkStrftime(node, scope) },
  strncmp: { count: [3, 3], check: (node, scope) => checkStrncmp(node, scope) },
  strcontains: { count: [2, 2], check: (node, scope) => checkStrcontains(node, scope) },
  strerror: { count: [1, 1], check: (node, scope) => checkStrerror(node, scope) },
  buf: { count: [1, 2], check: (node, scope) => checkBuf(node, scope) },
  bswap: { count: [1, 1], check: (node, scope) => checkBswap(node, scope) },
  ntop: { count: [1, 2], check: (node, scope) => checkNtop(node, scope) },
};

/** All functions, for messages. */
export const CALL_NAMES = [...VOID_CALLS, ...AGGREGATES, ...Object.keys(CALLS), 'sizeof'];

/** Checks a call whose value is used. */
export function checkCall(node: CallNode, scope: HandlerScope): Typed {
  const { name, at } = node;
  if ((VOID_CALLS as readonly string[]).includes(name)) {
    return refuse(node, scope, `${name}() should not be used in an assignment or as a map key`);
  }
  if ((AGGREGATES as readonly string[]).includes(name))
    return refuse(node, scope, `${name}() should be directly assigned to a map`);
  const row = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  if (row !== undefined) return hasCount(node, ...row.count, scope) ? row.check(node, scope) : UNKNOWN;
  const why = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
  if (why === undefined) {
    scope.script.problem(node.nameAt, `Unknown function: ${name}${similarTo(name, CALL_NAMES)}`);
    return UNKNOWN;
  }
  const what = UNSAFE.includes(name) ? `${name}() is an unsafe function being used in safe mode` : `${name}() cannot be had here`;
  scope.script.problem(at, `${what}: ${why}`);
  return UNKNOWN;
}

export function refuse({ at }: CallNode, { script }: HandlerScope, message: string): Typed {
  script.problem(at, message);
  return UNKNOWN;
}

const argumentsOf = (count: number): string =>
  count === 0 ? 'no arguments' : count === 1 ? 'one argument' : `${count} arguments`;

/** Checks how many arguments a call has. */
export function hasCount(node: CallNode, least: number, most: number, scope: HandlerScope): boolean {
  const { name, args } = node;
  if (args.length >= least && args.length <= most) return true;
  const isRange = least !== most;
  const wanted = !isRange
    ? `requires ${argumentsOf(least)}`
    : args.length < least
      ? `requires at least ${argumentsOf(least)}`
      : `takes up to ${argumentsOf(most)}`;
  refuse(node, scope, `${name}() ${wanted} (${args.length} provided)`);
  return false;
}

/** A number that is written there, or that a positional parameter stands for. */
export function literalOf(node: CallNode, arg: BpfExpression, scope: HandlerScope): bigint | undefined {
  if (arg.node === 'integer' || arg.node === 'parameter') {
    const { code } = scope.check(arg);
    if (code.op === 'long') return code.value;
    return undefined;
  }
  const { type } = scope.check(arg);
  if (type.kind !== 'none' || arg.node === 'string') {
    refuse(node, scope, `${node.name}() expects a integer literal (${kindName(type)} provided)`);
  }
  return undefined;
}

/** A text that is written there. */
export function textLiteralOf(node: CallNode, arg: BpfExpression, scope: HandlerScope): string | undefined {
  if (arg.node === 'string') return arg.value;
  const { type } = scope.check(arg);
  if (type.kind !== 'none') refuse(node, scope, `${node.name}() expects a string literal (${kindName(type)} provided)`);
  return undefined;
}

const isNumber = ({ kind }: BpfType): boolean => kind === 'integer' || kind === 'value';

/** An argument as an integer. */
export const longArgument = (node: CallNode, arg: BpfExpression, scope: HandlerScope): ScriptExpression | undefined =>
  longOfArgument(node, scope.check(arg), scope);

function longOfArgument(node: CallNode, value: Typed, scope: HandlerScope): ScriptExpression | undefined {
  if (isNumber(value.type)) return toLong(value);
  if (value.type.kind !== 'none')
    refuse(node, scope, `${node.name}() only supports integer arguments (${kindName(value.type)} provided)`);
  return undefined;
}

function checkStr(node: CallNode, scope: HandlerScope): Typed {
  const { script } = scope;
  const [first, length] = node.args;
  const text = strOf(node, first!, scope);
  if (text === undefined) return UNKNOWN;
  const type: BpfType = { kind: 'string', size: script.textSize };
  if (length === undefined) return { type, code: text };
  const count = longArgument(node, length, scope);
  if (count === undefined) return UNKNOWN;
  const place = script.place(node.at);
  const shorter: ScriptExpression = { op: 'binary', operator: '-', left: count, right: longOf(1), place };
  return { type, code: builtin('substr', node.at, scope, [text, longOf(0), shorter]) };
}

/** What str() makes a text of: a parameter of the script, a value of the program, a field of an event. */
function strOf(node: CallNode, arg: BpfExpression, scope: HandlerScope): ScriptExpression | undefined {
  if (arg.node === 'parameter' && arg.index > 0) return textOf(scope.script.options.args?.[arg.index - 1] ?? '');
  const value = scope.check(arg);
  const { type } = value;
  if (type.kind === 'value' || (type.kind === 'string' && type.isPointer)) return toText(value);
  if (type.kind === 'integer') return arg.node === 'integer' && arg.value === 0n ? textOf('') : toText(value);
  if (type.kind === 'none') return undefined;
  refuse(node, scope, `str() expects an integer or a pointer type as first argument (${typeName(type)} provided)`);
  return undefined;
}

function checkSymbol(node: CallNode, name: 'ksym' | 'usym', scope: HandlerScope): Typed {
  const value = scope.check(node.args[0]!);
  if (value.type.kind === 'none') return UNKNOWN;
  if (!isNumber(value.type)) {
    return refuse(node, scope, `${name}() expects an integer or pointer argument (${kindName(value.type)} provided)`);
  }
  return { type: { kind: 'text', name }, code: builtin('symbolOf', node.at, scope, [value.code]) };
}

const STACK_MODES = ['bpftrace', 'perf'];
const DEEPEST = 1024n;

function checkStack(node: CallNode, name: 'kstack' | 'ustack', scope: HandlerScope): Typed {
  const [first, second] = node.args;
  const isMode = first?.node === 'name' && STACK_MODES.includes(first.name);
  if (second !== undefined && !isMode) {
    return refuse(node, scope, `${name}() expects a stack mode literal (${kindName(scope.check(first!).type)} provided)`);
  }
  const limit = isMode ? second : first;
  if (limit === undefined) return stackOf(name, 127, node.at, scope);
  const depth = literalOf(node, limit, scope);
  if (depth === undefined) return UNKNOWN;
  if (depth < 0n || depth > DEEPEST) {
    return refuse(node, scope, `${name}([int limit]): limit shouldn't exceed ${DEEPEST}, ${BigInt.asUintN(64, depth)} given`);
  }
  return stackOf(name, Number(depth), node.at, scope);
}

function checkStrftime(node: CallNode, scope: HandlerScope): Typed {
  const format = textLiteralOf(node, node.args[0]!, scope);
  const when = longArgument(node, node.args[1]!, scope);
  if (format === undefined || when === undefined) return UNKNOWN;
  const wall = builtin('wallOf', node.at, scope, [when]);
  return { type: { kind: 'text', name: 'timestamp' }, code: builtin('strftime', node.at, scope, [textOf(format), wall]) };
}

/** Two arguments as texts. */
function textArguments(node: CallNode, scope: HandlerScope): readonly ScriptExpression[] | undefined {
  const texts = node.args.slice(0, 2).map((arg) => scope.check(arg));
  if (texts.some(({ type }) => type.kind === 'none')) return undefined;
  const bad = texts.find(({ type }) => type.kind !== 'value' && !isText(type));
  if (bad === undefined) return texts.map(toText);
  refuse(node, scope, `${node.name}() only supports string arguments (${kindName(bad.type)} provided)`);
  return undefined;
}

function checkStrncmp(node: CallNode, scope: HandlerScope): Typed {
  const count = literalOf(node, node.args[2]!, scope);
  const texts = textArguments(node, scope);
  if (count === undefined || texts === undefined) return UNKNOWN;
  if (count < 0n) return refuse(node, scope, 'Builtin strncmp requires a non-negative size');
  return { type: UINT64, code: builtin('strncmp', node.at, scope, [...texts, longOf(count)]) };
}

function checkStrcontains(node: CallNode, scope: HandlerScope): Typed {
  const texts = textArguments(node, scope);
  return texts === undefined ? UNKNOWN : { type: UINT64, code: builtin('strcontains', node.at, scope, texts) };
}

function checkStrerror(node: CallNode, scope: HandlerScope): Typed {
  const error = longArgument(node, node.args[0]!, scope);
  return error === undefined
    ? UNKNOWN
    : { type: { kind: 'text', name: 'strerror' }, code: builtin('strerror', node.at, scope, [error]) };
}

function checkBuf(node: CallNode, scope: HandlerScope): Typed {
  const [first, length] = node.args;
  const value = scope.check(first!);
  if (value.type.kind === 'none') return UNKNOWN;
  if (length === undefined && value.type.kind !== 'value') {
    return refuse(node, scope, `buf() expects a length argument for non-array type ${kindName(value.type)}`);
  }
  const most = longOf(scope.script.textSize);
  const count = length === undefined ? most : longArgument(node, length, scope);
  if (count === undefined) return UNKNOWN;
  return { type: { kind: 'text', name: 'buffer' }, code: builtin('bytesText', node.at, scope, [value.code, count, longOf(0)]) };
}

/** Bytes in the other order; of the argument's own size. */
function checkBswap(node: CallNode, scope: HandlerScope): Typed {
  const value = scope.check(node.args[0]!);
  const code = longOfArgument(node, value, scope);
  if (code === undefined) return UNKNOWN;
  const size = value.type.kind === 'integer' ? value.type.size : 8;
  return { type: { kind: 'integer', size, isSigned: false }, code: builtin('swapBytes', node.at, scope, [code, longOf(size)]) };
}

const AF_INET = 2n;

/** An integer as an address of IPv4, its lowest byte first; a text is an address already. */
function checkNtop(node: CallNode, scope: HandlerScope): Typed {
  const family = node.args.length === 1 ? AF_INET : literalOf(node, node.args[0]!, scope);
  const value = scope.check(node.args.at(-1)!);
  if (family === undefined || value.type.kind === 'none') return UNKNOWN;
  const type: BpfType = { kind: 'text', name: 'inet' };
  if (value.type.kind === 'value' || value.type.kind === 'string') return { type, code: toText(value) };
  if (value.type.kind !== 'integer' || family !== AF_INET) {
    return refuse(
      node,
      scope,
      'ntop() takes addresses of IPv4 as integers; in Node.js all addresses are texts: print them with %s',
    );
  }
  const target = { op: 'local', slot: scope.addLocal('long') } as const;
  const place = scope.script.place(node.at);
  const byteOf = (index: number): ScriptExpression => {
    const left: ScriptExpression = index === 0 ? { op: 'assign', target, value: value.code } : target;
    const moved: ScriptExpression = { op: 'binary', operator: '>>>', left, right: longOf(index * 8), place };
    return { op: 'to string', of: { op: 'binary', operator: '&', left: moved, right: longOf(255), place } };
  };
  const joined = (left: ScriptExpression, index: number): ScriptExpression => ({
    op: 'join',
    left: { op: 'join', left, right: textOf('.') },
    right: byteOf(index),
  });
  return { type, code: [1, 2, 3].reduce(joined, byteOf(0)) };
}
