import { C_TYPES } from '../../events/c-types.js';
import type { Fetch } from '../../probes/probe-definition.js';
import type { BuiltinName } from '../builtins.js';
import type { ScriptExpression } from '../program.js';
import type { TargetField } from '../target.js';
import { type BpfType, INT64, UINT64, VALUE } from './bpf-type.js';
import { CONSTANTS } from './constants.js';
import { similarTo } from './near-names.js';
import type { ProviderName } from './points.js';
import type { Span } from './problem.js';
import type { HandlerScope } from './scopes.js';
import type { BpfExpression } from './syntax-tree.js';
import { longOf, type Typed, textOf, UNKNOWN } from './typed.js';

/** Words that are values everywhere. */
const EVERYWHERE: Readonly<Record<string, readonly [BuiltinName, BpfType]>> = {
  pid: ['pid', UINT64],
  tid: ['tid', UINT64],
  uid: ['uid', UINT64],
  gid: ['gid', UINT64],
  cpu: ['cpu', UINT64],
  nsecs: ['nsecs', UINT64],
  elapsed: ['elapsed', UINT64],
  rand: ['rand', UINT64],
  comm: ['comm', { kind: 'string', size: 16 }],
};

/** Words of bpftrace that nothing stands for here, and what can be used. */
const REFUSED: Readonly<Record<string, string>> = {
  cgroup: 'use pid',
  curtask: "the kernel's task cannot be read: use pid, tid and comm",
  ctx: 'there is no context of the kernel: use args',
  numaid: 'threads have no NUMA node here: use cpu',
  username: 'use uid',
};

const PROVIDERS_OF_ARGUMENTS: readonly ProviderName[] = ['kprobe', 'uprobe'];
const PROVIDERS_OF_RETURNS: readonly ProviderName[] = ['kretprobe', 'uretprobe', 'kretfunc'];
const PROVIDERS_OF_ARGS: readonly ProviderName[] = ['tracepoint', 'kfunc', 'kretfunc', 'uprobe', 'uretprobe'];
const PROVIDERS_OF_FUNCTIONS: readonly ProviderName[] = ['kprobe', 'kretprobe', 'uprobe', 'uretprobe', 'kfunc', 'kretfunc'];

/** All words that have a meaning, for messages. */
const WORDS = [...Object.keys(EVERYWHERE), 'func', 'probe', 'retval', 'args', 'arg0', 'kstack', 'ustack', 'cpid'];

/** Checks a word: a builtin variable or a constant. */
export function checkName(name: string, at: Span, scope: HandlerScope): Typed {
  const { script, point } = scope;
  const everywhere = Object.hasOwn(EVERYWHERE, name) ? EVERYWHERE[name] : undefined;
  if (everywhere !== undefined) return { type: everywhere[1], code: builtin(everywhere[0], at, scope) };
  const { provider } = point;
  if (name === 'func') {
    if (!PROVIDERS_OF_FUNCTIONS.includes(provider))
      return refuse(at, scope, `The func builtin can not be used with '${provider}' probes`);
    return { type: { kind: 'string', size: script.textSize }, code: builtin('functionName', at, scope) };
  }
  if (name === 'probe') return { type: { kind: 'text', name: 'probe' }, code: probeName(at, scope) };
  if (name === 'kstack' || name === 'ustack') return stackOf(name, DEEPEST_STACK, at, scope);
  if (name === 'cpid') {
    const { childPid } = script.options;
    if (childPid === undefined) return refuse(at, scope, 'cpid cannot be used without child command');
    return { type: UINT64, code: longOf(childPid) };
  }
  if (/^sarg\d+$/.test(name)) return refuse(at, scope, `${name}: JavaScript passes no argument on a stack: use ${name.slice(1)}`);
  const why = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
  if (why !== undefined) return refuse(at, scope, `${name} cannot be had here: ${why}`);
  if (name === 'args') return refuse(at, scope, 'args alone is nothing: name one, as args.NAME');
  const constant = script.constants.get(name) ?? (Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined);
  if (constant !== undefined) return { type: INT64, code: longOf(constant) };
  return refuse(at, scope, `Unknown identifier: '${name}'${similarTo(name, [...WORDS, ...script.constants.keys()])}`);
}

function refuse(at: Span, { script }: HandlerScope, message: string): Typed {
  script.problem(at, message);
  return UNKNOWN;
}

export const builtin = (
  name: BuiltinName,
  at: Span,
  { script }: HandlerScope,
  args: readonly ScriptExpression[] = [],
): ScriptExpression => ({
  op: 'builtin',
  name,
  args,
  place: script.place(at),
});

function probeName(at: Span, scope: HandlerScope): ScriptExpression {
  const { name, prefix } = scope.point;
  return prefix === undefined ? textOf(name) : { op: 'join', left: textOf(prefix), right: builtin('functionName', at, scope) };
}

/** Frames of a stack that nobody has said how many of. */
const DEEPEST_STACK = 127;

export const stackOf = (name: 'kstack' | 'ustack', depth: number, at: Span, scope: HandlerScope): Typed => ({
  type: { kind: 'stack', name },
  code: builtin('frames', at, scope, [longOf(depth)]),
});

/**
 * Where an expression reads a variable of the program, or a property of one: `arg0`, `retval`, `args.order.id`, `arg0->items[3]`.
 * @returns undefined: it reads none; `refused`: what it reads is not there, and that was said
 */
export function checkFetch(node: BpfExpression, scope: HandlerScope): Typed | undefined {
  const found = fetchOf(node, scope);
  if (found === undefined) return undefined;
  if (found === 'refused') return UNKNOWN;
  const code = scope.fetch(found.fetch, found.isOfEntry);
  return found.field === undefined ? { type: VALUE, code } : fieldOf(found.field, code, scope);
}

/** A field of an event has the type that its format file shows. */
function fieldOf({ type, isText }: TargetField, code: ScriptExpression, { script }: HandlerScope): Typed {
  if (isText) return { type: { kind: 'string', size: script.textSize, isPointer: true }, code: { op: 'to string', of: code } };
  const { size, signed } = C_TYPES[type];
  return { type: { kind: 'integer', size, isSigned: signed }, code: { op: 'to long', of: code } };
}

interface Found {
  readonly fetch: Fetch;
  readonly isOfEntry: boolean;
  readonly field?: TargetField;
}

function fetchOf(node: BpfExpression, scope: HandlerScope): Found | 'refused' | undefined {
  if (node.node === 'name') return rootOf(node.name, node.at, scope);
  if (node.node === 'field' && node.of.node === 'name' && node.of.name === 'args')
    return argOf(node.name, node.of.at, node.at, scope);
  if (node.node !== 'field' && node.node !== 'element' && node.node !== 'subscript') return undefined;
  const of = fetchOf(node.of, scope);
  if (of === undefined || of === 'refused') return of;
  const name = node.node === 'field' ? node.name : node.node === 'element' ? String(node.index) : constantOf(node.index);
  if (name === undefined) return undefined;
  if (of.field === undefined) return { ...of, fetch: { kind: 'member', of: of.fetch, name } };
  scope.script.problem(
    node.at,
    `Can not access field '${name}' on expression of type '${of.field.isText ? 'string' : of.field.type}'`,
  );
  return 'refused';
}

const constantOf = (index: BpfExpression): string | undefined =>
  index.node === 'string' || index.node === 'integer' ? String(index.value) : undefined;

function rootOf(name: string, at: Span, scope: HandlerScope): Found | 'refused' | undefined {
  const { provider } = scope.point;
  const argument = /^arg(\d+)$/.exec(name);
  if (argument === null && name !== 'retval') return undefined;
  if (argument !== null && provider === 'usdt') return markArgument(Number(argument[1]), at, scope);
  if (argument !== null) {
    if (PROVIDERS_OF_ARGUMENTS.includes(provider) || provider === 'kfunc') {
      return { fetch: { kind: 'argument', index: Number(argument[1]) }, isOfEntry: false };
    }
    scope.script.problem(at, `The ${name} builtin can only be used with 'kprobes', 'uprobes' and 'usdt' probes`);
    return 'refused';
  }
  if (PROVIDERS_OF_RETURNS.includes(provider)) return { fetch: { kind: 'retval' }, isOfEntry: false };
  scope.script.problem(at, "The retval builtin can only be used with 'kretprobe' and 'uretprobe' and 'kfunc' probes");
  return 'refused';
}

/** `argN` of a mark: a field of the event that stands for it. */
function markArgument(index: number, at: Span, { script, point }: HandlerScope): Found | 'refused' {
  const { name, event, args = [] } = point;
  const field = event?.fields.find((other) => other.name === args[index]);
  if (field !== undefined) return { fetch: { kind: 'variable', name: field.name }, isOfEntry: false, field };
  script.problem(at, `couldn't get argument ${index} for ${name}: its last one is arg${args.length - 1}`);
  return 'refused';
}

const SPECIAL: readonly ProviderName[] = ['BEGIN', 'END'];

/** `args.NAME`: a field of the event, or a parameter of the function; at its end what the call was given. */
function argOf(name: string, argsAt: Span, at: Span, { script, point }: HandlerScope): Found | 'refused' {
  const { provider, event, functions = [] } = point;
  if (!PROVIDERS_OF_ARGS.includes(provider)) {
    const used = SPECIAL.includes(provider) ? 'special' : provider;
    const instead = provider.startsWith('k') ? `; use ${provider.replace('probe', 'func')}` : '';
    script.problem(argsAt, `The args builtin can only be used with tracepoint/kfunc/uprobeprobes (${used} used here)${instead}`);
    return 'refused';
  }
  if (event !== undefined) {
    const field = event.fields.find((other) => other.name === name);
    if (field !== undefined) return { fetch: { kind: 'variable', name }, isOfEntry: false, field };
    const struct = `struct _tracepoint_${event.system}_${event.name}`;
    const similar = similarTo(
      name,
      event.fields.map((other) => other.name),
    );
    script.problem(at, `Struct/union of type '${struct}' does not contain a field named '${name}'${similar}`);
    return 'refused';
  }
  const names = functions.flatMap(({ params }) => params);
  if (functions.length > 0 && !names.includes(name)) {
    script.problem(at, `Can't find function parameter ${name}${similarTo(name, names)}`);
    return 'refused';
  }
  return { fetch: { kind: 'variable', name }, isOfEntry: provider === 'kretfunc' || provider === 'uretprobe' };
}
