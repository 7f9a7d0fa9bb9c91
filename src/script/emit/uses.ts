import { BUILTINS, type BuiltinRow } from '../builtins.js';
import type { ScriptHandler, ScriptProgram } from '../program.js';
import { walk } from './walk.js';

/** What a handler or a function of a script does, itself and in the functions that it calls. */
export interface Uses {
  /** Globals that are no aggregates: read, and changed. */
  readonly read: ReadonlySet<number>;
  readonly written: ReadonlySet<number>;
  readonly functions: ReadonlySet<number>;
  readonly hasLoop: boolean;
  /** Builtins with `reads`, and `parameters`. */
  readonly reads: ReadonlySet<string>;
}

interface Parts {
  readonly read: Set<number>;
  readonly written: Set<number>;
  readonly functions: Set<number>;
  readonly reads: Set<string>;
  hasLoop: boolean;
}

type Nodes = Parameters<typeof walk>[0];

function collect(program: ScriptProgram, nodes: Nodes, parts: Parts): void {
  const { read, written, functions, reads } = parts;
  const isShared = (id: number): boolean => program.globals[id]!.type !== 'stats';
  walk(nodes, (node) => {
    if ('do' in node) {
      // What `try` catches depends on the count, too.
      if (node.do === 'while' || node.do === 'foreach' || node.do === 'foreach bucket' || node.do === 'try') parts.hasLoop = true;
      // A visit can put an array into another order.
      if (node.do === 'foreach' || node.do === 'delete' || node.do === 'zero') {
        if (isShared(node.id)) (node.do === 'foreach' && node.order === undefined ? read : written).add(node.id);
      }
      if ((node.do === 'print map' || node.do === 'print element') && isShared(node.id)) read.add(node.id);
      return;
    }
    if ((node.op === 'global' || node.op === 'element' || node.op === 'has') && isShared(node.id)) read.add(node.id);
    if ((node.op === 'assign' || node.op === 'update') && node.target.op !== 'local') written.add(node.target.id);
    if (node.op === 'parameters') reads.add(node.op);
    if (node.op === 'builtin') {
      const { reads: what } = BUILTINS[node.name] as BuiltinRow;
      if (what !== undefined) reads.add(node.name);
    }
    if (node.op !== 'call' || functions.has(node.index)) return;
    functions.add(node.index);
    collect(program, program.functions[node.index]!.body, parts);
  });
}

/** What some statements and expressions of a program use. */
export function usesOf(program: ScriptProgram, nodes: Nodes): Uses {
  const parts: Parts = { read: new Set(), written: new Set(), functions: new Set(), reads: new Set(), hasLoop: false };
  collect(program, nodes, parts);
  return parts;
}

/** All that a handler runs when it is hit. */
export const nodesOf = ({ condition, body }: ScriptHandler): Nodes => [condition, ...body];

/** Globals that change while the script runs, and so need its lock. */
export function changingGlobals(program: ScriptProgram): ReadonlySet<number> {
  const changing = new Set<number>();
  for (const handler of program.handlers) {
    if (handler.point.kind === 'begin') continue;
    for (const id of usesOf(program, [...nodesOf(handler), ...handler.saves]).written) changing.add(id);
  }
  return changing;
}
