import type { DebugEntry } from './debug-entry.js';
import { AT, TAG } from './names.js';

/** A variable of a source file outside of its functions. */
export interface ModuleVariable {
  /** The entry which says where it is. */
  readonly entry: DebugEntry;
  /** The variable's name, behind those of the namespaces and classes in which it is. */
  readonly path: readonly string[];
}

/** What a unit has outside of functions. */
export interface UnitScope {
  readonly variables: readonly ModuleVariable[];
  /** Names of the namespaces and classes around an entry, by its offset: of those in one. */
  readonly around: ReadonlyMap<number, readonly string[]>;
}

/** Entries in which others stand that are no part of a function. */
export const HOLDERS: readonly number[] = [TAG.namespace, TAG.structure, TAG.class, TAG.union];
/** Tags of variables: in DWARF 4 a static member is one, and only declared in its class. */
const VARIABLES: readonly number[] = [TAG.variable, TAG.member];

const known = new WeakMap<DebugEntry, UnitScope>();

/** Finds the variables of a unit, also those of its namespaces and the static ones of its classes. */
export function moduleScope(root: DebugEntry): UnitScope {
  const before = known.get(root);
  if (before !== undefined) return before;
  const around = new Map<number, readonly string[]>();
  const entries: DebugEntry[] = [];
  const look = (holder: DebugEntry, path: readonly string[]): void => {
    for (const child of holder.children) {
      if (path.length > 0) around.set(child.offset, path);
      if (HOLDERS.includes(child.tag)) look(child, child.name === undefined ? path : [...path, child.name]);
      else if (VARIABLES.includes(child.tag) && isDefined(child)) entries.push(child);
    }
  };
  look(root, []);
  const variables = entries.flatMap((entry): readonly ModuleVariable[] => {
    const { name } = entry;
    const declared = entry.entry(AT.specification);
    return name === undefined ? [] : [{ entry, path: [...(around.get((declared ?? entry).offset) ?? []), name] }];
  });
  const found = { variables, around };
  known.set(root, found);
  return found;
}

/** A constant has no other definition than its declaration. */
const isDefined = (entry: DebugEntry): boolean =>
  entry.has(AT.location) || entry.has(AT.constValue) || (entry.tag === TAG.variable && !entry.has(AT.declarationOnly));

/** The names around a function. */
export const namesAround = (entry: DebugEntry): readonly string[] => {
  const { around } = moduleScope(entry.unit.root);
  for (const one of entry.origins()) {
    const names = around.get(one.offset);
    if (names !== undefined) return names;
  }
  return [];
};
