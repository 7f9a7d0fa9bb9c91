import type { ListedRange } from './address-lists.js';
import { sizeOf } from './c-type.js';
import type { CallFrame } from './call-frame.js';
import type { DebugAbi } from './debug-abi.js';
import type { DebugEntry } from './debug-entry.js';
import { expressionAt } from './debug-unit.js';
import { type ExpressionNeeds, evaluate } from './evaluate.js';
import { HOLDERS, type ModuleVariable, moduleScope, namesAround } from './module-variables.js';
import { AT, TAG } from './names.js';
import { constant, type Location, nowhere } from './value.js';

const NAMED: readonly number[] = [TAG.parameter, TAG.variable];
/** DW_CC_nocall: its parameters are not where the ABI says. */
const NOT_AS_USUAL = 3;
const GONE = 'is optimized out';
/** A variable of a namespace in which the function is not comes behind all in which it is. */
const FAR = 64;
/** So many places that have a variable are named in an error. */
const MOST_NAMED = 3;

/** A place in a function's code, by the address of the object's file. */
export interface CodePoint {
  readonly address: number;
  /** Nothing of the function has run. */
  readonly isEntry: boolean;
  /** Whether the place was named as one of the function itself: what is inlined there comes second. */
  readonly isOwn: boolean;
  /** What the object's addresses differ by in the process. */
  readonly bias: number;
  frame(): CallFrame | undefined;
}

/** A parameter or a variable, as a place in the code sees it. */
export interface LocatedVariable {
  /** What it is listed as. Of several module variables of one name only the nearest has no namespaces before it. */
  readonly name: string;
  /** The path of a module variable: its name behind those of namespaces and classes. */
  readonly path?: readonly string[];
  readonly kind: 'parameter' | 'variable' | 'module variable';
  readonly type: DebugEntry | undefined;
  readonly location: Location;
}

/** What debug information says of one function. */
export class DebugFunction {
  readonly entry: DebugEntry;
  /** Whether its parameters may not be those of its source: the compiler has made another function of it. */
  readonly #isClone: boolean;
  #copies: readonly DebugEntry[] | undefined;

  readonly #abi: DebugAbi;

  /** @param symbol its name as the object has it */
  constructor(entry: DebugEntry, symbol: string, abi: DebugAbi) {
    this.entry = entry;
    this.#abi = abi;
    this.#isClone = /\.(isra|constprop|part)\b/.test(symbol) || entry.number(AT.callingConvention) === NOT_AS_USUAL;
  }

  /** Copies of other functions in it, and in these. */
  get inlined(): readonly DebugEntry[] {
    return (this.#copies ??= copiesIn(this.entry).flatMap(function all(copy): readonly DebugEntry[] {
      return [copy, ...copiesIn(copy).flatMap(all)];
    }));
  }

  /** Names that can be read at a place, the innermost first; each is there once. */
  variables(point: CodePoint): readonly LocatedVariable[] {
    const found = new Map<string, LocatedVariable>();
    for (const scope of this.#scopesAt(point)) {
      for (const child of scope.children) {
        const { name } = child;
        if (name === undefined || !NAMED.includes(child.tag) || found.has(name) || child.has(AT.declarationOnly)) continue;
        const kind = child.tag === TAG.parameter ? 'parameter' : 'variable';
        found.set(name, { name, kind, type: child.type, location: this.#locate(child, point) });
      }
    }
    for (const { entry, path } of this.#moduleVariables()) {
      const plain = path.at(-1)!;
      const name = found.has(plain) ? path.join('.') : plain;
      if (!found.has(name))
        found.set(name, { name, path, kind: 'module variable', type: entry.type, location: this.#locate(entry, point) });
    }
    for (const one of this.#optimizedOut(point)) if (!found.has(one.name)) found.set(one.name, one);
    return [...found.values()];
  }

  /** The scopes around a place in the order in which names are looked for. */
  #scopesAt({ address, isEntry, isOwn }: CodePoint): readonly DebugEntry[] {
    const scopes = [this.entry];
    const look = (entry: DebugEntry): void => {
      for (const child of entry.children) {
        if ((child.tag !== TAG.inlined && child.tag !== TAG.lexicalBlock) || !child.covers(address)) continue;
        scopes.push(child);
        look(child);
        return;
      }
    };
    if (!isEntry) look(this.entry);
    const copy = scopes.findIndex(({ tag }) => tag === TAG.inlined);
    const own = isOwn && copy > 0 ? scopes.splice(0, copy).reverse() : [];
    return [...own, ...scopes.reverse()];
  }

  /** Module variables, those of the function's own namespaces and class before those of others. */
  #moduleVariables(): readonly ModuleVariable[] {
    const around = namesAround(this.entry);
    const { variables } = moduleScope(this.entry.unit.root);
    const distance = ({ path }: ModuleVariable): number => {
      const common = path.findIndex((name, i) => name !== around[i] || i === path.length - 1);
      return around.length - common + (path.length - 1 - common) * FAR;
    };
    return around.length === 0 && variables.every(({ path }) => path.length === 1)
      ? variables
      : [...variables].sort((a, b) => distance(a) - distance(b));
  }

  /** Parameters that only the function's abstract instance has. */
  #optimizedOut(point: CodePoint): readonly LocatedVariable[] {
    const scope = this.#scopesAt(point).find(({ tag }) => tag === TAG.inlined || tag === TAG.subprogram);
    return [...(scope?.entry(AT.abstractOrigin)?.children ?? [])].flatMap((child) =>
      child.tag === TAG.parameter && child.name !== undefined
        ? [{ name: child.name, kind: 'parameter' as const, type: child.type, location: nowhere(GONE) }]
        : [],
    );
  }

  #locate(entry: DebugEntry, point: CodePoint): Location {
    const isParameter = entry.tag === TAG.parameter && entry.parent === this.entry;
    const holder = entry.with(AT.location);
    const value = holder?.value(AT.location);
    if (value === undefined) {
      if (isParameter && point.isEntry) return this.#argument(entry) ?? nowhere(GONE);
      return constantOf(entry) ?? nowhere(GONE);
    }
    const locations = holder!.unit.locationsOf(value);
    const expression = expressionAt(locations, point.address);
    // What stands in the frame is put there by the function's first instructions.
    const isFramed = 'everywhere' in locations && point.isEntry;
    if (isFramed && isParameter) return this.#argument(entry) ?? evaluate(locations.everywhere, this.#needs(point));
    if (point.isEntry && isParameter && expression !== undefined) {
      const found = evaluate(expression, this.#needs(point));
      return isWhole(found, sizeOf(entry.type)) ? found : (this.#argument(entry) ?? found);
    }
    if (isFramed && isOfFunction(entry)) return nowhere('has no value at the entry of the function');
    if (expression !== undefined) return evaluate(expression, this.#needs(point));
    if (point.isEntry && isParameter) return this.#argument(entry) ?? nowhere(GONE);
    return nowhere(this.#goneAt(point, 'list' in locations ? locations.list : []));
  }

  #goneAt({ address, isEntry }: CodePoint, locations: readonly ListedRange[]): string {
    const start = this.start;
    const at = (place: number): string => `${this.entry.name}+0x${(place - start).toString(16)}`;
    const known = joined(locations.filter(({ from, to }) => from < to && from >= start)).slice(0, MOST_NAMED);
    const where = known.map(({ from, to }) => `from ${at(from)} to before ${at(to)}`).join(' and ');
    const gone = isEntry ? 'has no value at the entry of the function' : `${GONE} at ${at(address)}`;
    return `${gone}${where === '' ? '' : `; it has one ${where}`}`;
  }

  /** The lowest address of the part of it in which its entry is. */
  get start(): number {
    return this.entry.address(AT.lowPc) ?? this.entry.ranges[0]?.from ?? 0;
  }

  #argument(parameter: DebugEntry): Location | undefined {
    if (this.#isClone) return undefined;
    const parameters = this.entry.children.filter(({ tag }) => tag === TAG.parameter);
    return this.#abi.argumentLocations(
      parameters.map(({ type }) => type),
      this.entry.type,
    )[parameters.indexOf(parameter)];
  }

  #needs({ address, bias, isEntry, frame }: CodePoint): ExpressionNeeds {
    const needs: ExpressionNeeds = {
      ...{ bias, isEntry, frame },
      registers: this.#abi.REGISTERS,
      addressOf: (index) => this.entry.unit.addressOfIndex(index),
      typeSize: (offset) => sizeOf(this.entry.unit.entryOf({ kind: 'entry', offset, from: 'unit' })),
      frameBase: () => {
        const value = this.entry.value(AT.frameBase);
        const expression = value && expressionAt(this.entry.unit.locationsOf(value), address);
        return expression === undefined
          ? nowhere('is on the stack, and nothing says where its function’s frame is')
          : evaluate(expression, { ...needs, frameBase: () => nowhere('has a location that is damaged') });
      },
    };
    return needs;
  }
}

/** Whether an entry is in a function, not in a unit, a namespace or a class. */
function isOfFunction(entry: DebugEntry): boolean {
  const tag = entry.parent?.tag;
  return tag !== undefined && tag !== TAG.compileUnit && !HOLDERS.includes(tag);
}

/** Whether all bytes of something are somewhere. */
const isWhole = (location: Location, size: number): boolean =>
  location.kind === 'pieces' ? location.pieces.reduce((sum, piece) => sum + piece.size, 0) >= size : location.kind !== 'nowhere';

/** The copies in an entry that are in no other copy. */
export function copiesIn(entry: DebugEntry): readonly DebugEntry[] {
  return entry.children.flatMap((child) => {
    if (child.tag === TAG.inlined) return [child];
    return child.tag === TAG.lexicalBlock ? copiesIn(child) : [];
  });
}

/** Where a copy begins; undefined: nothing is left of it. */
export const copyStart = (copy: DebugEntry): number | undefined =>
  copy.address(AT.entryPc) ?? copy.address(AT.lowPc) ?? copy.ranges[0]?.from;

/** Ranges, with one for several that follow each other. */
function joined(ranges: readonly ListedRange[]): readonly ListedRange[] {
  const found: ListedRange[] = [];
  for (const range of ranges) {
    const before = found.at(-1);
    if (before?.to === range.from) found.splice(-1, 1, { from: before.from, to: range.to });
    else found.push(range);
  }
  return found;
}

/** The value of a variable that is a constant. */
function constantOf(entry: DebugEntry): Location | undefined {
  const value = entry.with(AT.constValue)?.value(AT.constValue);
  return value?.kind === 'number' ? { kind: 'value', value: constant(value.number), byte: 0 } : undefined;
}
