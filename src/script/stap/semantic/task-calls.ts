import type { StapExpression } from '../syntax-tree.js';
import type { BodyPart, DerivedProbe } from './derive-points.js';
import { mapped } from './syscall-entries.js';

/** What these functions say of a task that an event is about is a member of the event's variable. */
const MEMBERS: Readonly<Record<string, string>> = {
  task_state: '__state',
  task_prio: 'prio',
  task_execname: 'comm',
  task_tid: 'pid',
};

/** `process.begin` and `process.end` run on the control thread, and for the program. */
function ofProgram(derived: DerivedProbe, command: string): DerivedProbe {
  const replace = (node: StapExpression): StapExpression | undefined => {
    if (node.kind !== 'call' || node.args.length > 0) return undefined;
    if (node.name === 'pid' || node.name === 'tid') return { ...node, name: 'target' };
    return node.name === 'execname' ? { kind: 'string', value: command, written: command, place: node.place } : undefined;
  };
  return { ...derived, parts: derived.parts.map(({ block, file }): BodyPart => ({ block: mapped(block, replace), file })) };
}

/** Reads what a probe asks of a task where the probe stands. */
export function withTasks(derived: DerivedProbe, command: string): DerivedProbe {
  const { point, name } = derived.base;
  const isLife = point.kind === 'begin' || point.kind === 'end';
  return isLife && name.startsWith('process') ? ofProgram(derived, command) : withTaskMembers(derived);
}

/** `task_state($prev)` becomes `$prev->__state` where the event has that: a task is named by its number here. */
function withTaskMembers(derived: DerivedProbe): DerivedProbe {
  const { base, parts } = derived;
  if (base.point.kind !== 'event' || base.point.system !== 'sched') return derived;
  const replace = (node: StapExpression): StapExpression | undefined => {
    if (node.kind !== 'call' || node.args.length !== 1) return undefined;
    const member = Object.hasOwn(MEMBERS, node.name) ? MEMBERS[node.name] : undefined;
    const task = node.args[0]!;
    if (member === undefined || task.kind !== 'target' || task.accesses.length > 0) return undefined;
    if (base.variables.fetch(task.name, member) === undefined) return undefined;
    return { ...task, accesses: [{ kind: 'member', name: member, place: task.place }] };
  };
  return { ...derived, parts: parts.map(({ block, file }): BodyPart => ({ block: mapped(block, replace), file })) };
}
