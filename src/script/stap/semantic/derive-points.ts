import { compileGlob } from '../../../base/glob.js';
import type { ScriptTarget } from '../../target.js';
import type { Block, PointComponent, ProbeAlias, ProbePoint, StapExpression, StapFile } from '../syntax-tree.js';
import { type BasePoint, basePoints, FIRST_NAMES, NoSuchPoint, pointText } from './point-table.js';
import { fault, type ScriptToken, SemanticError, type SemanticFault, similarTo } from './semantic-error.js';
import type { TapsetLibrary } from './tapset-library.js';

/** A part of a handler's body, with the file whose private names it sees. */
export interface BodyPart {
  readonly block: Block;
  readonly file: StapFile;
}

/** A probe at one base point: what an alias adds stands before or behind its own body. */
export interface DerivedProbe {
  readonly base: BasePoint;
  /** The point as the script has it, with its wildcards resolved: `pn()`. */
  readonly written: string;
  readonly parts: readonly BodyPart[];
  readonly conditions: readonly { readonly expression: StapExpression; readonly file: StapFile }[];
  readonly point: ProbePoint;
  /** The alias that the script named, with its own components behind it; absent: none. */
  readonly alias: string | undefined;
}

/** What points are derived with. */
export interface PointNeeds {
  readonly library: TapsetLibrary;
  readonly target: ScriptTarget;
  /** The aliases of the script itself. */
  readonly aliases: readonly { readonly alias: ProbeAlias; readonly file: StapFile }[];
}

type Written = Omit<DerivedProbe, 'base' | 'written' | 'point'>;

/** Aliases that lead to each other end here. */
const DEEPEST = 64;

export const tokenOf = ({ name, place }: PointComponent): ScriptToken => ({ token: `identifier '${name}'`, place });

/**
 * The probes of a list of points with one body.
 * @throws SemanticError for a point that matches nothing and is not optional
 */
export function deriveProbes(points: readonly ProbePoint[], body: BodyPart, needs: PointNeeds): readonly DerivedProbe[] {
  return new Derivation(needs).list(points, { parts: [body], conditions: [], alias: undefined }, body.file, 0);
}

class Derivation {
  readonly #needs: PointNeeds;

  constructor(needs: PointNeeds) {
    this.#needs = needs;
  }

  list(points: readonly ProbePoint[], written: Written, file: StapFile, depth: number, top?: ProbePoint): DerivedProbe[] {
    const derived: DerivedProbe[] = [];
    for (const point of points) {
      const found = this.#one(point, written, file, depth, top ?? point);
      derived.push(...found);
      if (point.isSufficient && found.length > 0) break;
    }
    return derived;
  }

  /** @throws SemanticError */
  #one(point: ProbePoint, before: Written, file: StapFile, depth: number, top: ProbePoint): readonly DerivedProbe[] {
    const { components, isOptional, isSufficient, condition } = point;
    const conditions = condition === undefined ? before.conditions : [...before.conditions, { expression: condition, file }];
    try {
      const found = this.#match(components, { ...before, conditions }, depth, top);
      if (found.length > 0 || isOptional || isSufficient) return found;
      throw new SemanticError(fault('no match', ['']));
    } catch (error) {
      if (!(error instanceof SemanticError)) throw error;
      if (isOptional || isSufficient) return [];
      const token = tokenOf(components[0]!);
      throw new SemanticError({ message: 'while resolving probe point', ...token }, ...error.faults);
    }
  }

  #match(parts: readonly PointComponent[], written: Written, depth: number, top: ProbePoint): readonly DerivedProbe[] {
    const first = parts[0]!;
    if (depth > DEEPEST) throw new SemanticError(fault('alias circle', [pointText(parts)], tokenOf(first)));
    const { aliases, library, target } = this.#needs;
    const derived: DerivedProbe[] = [];
    const named = [...aliases, ...library.aliases(first.name)].flatMap(({ alias, file }) =>
      alias.names.filter((name) => matches(parts, name.components)).map((name) => ({ alias, file, name: name.components })),
    );
    // `syscall.open.return` is no end of `syscall.open`, where there are both.
    const longest = Math.max(...named.map(({ name }) => name.length));
    for (const { alias, file, name } of named.filter((one) => one.name.length === longest)) {
      const suffix = parts.slice(name.length);
      const points = alias.points.map((one) => ({ ...one, components: [...one.components, ...suffix] }));
      const part = { block: alias.body, file };
      const epilogue = alias.epilogue === undefined ? [] : [{ block: alias.epilogue, file }];
      const bodies = alias.kind === 'prologue' ? [part, ...written.parts, ...epilogue] : [...written.parts, part];
      const own = written.alias ?? pointText([...name, ...suffix]);
      derived.push(...this.list(points, { ...written, parts: bodies, alias: own }, file, depth + 1, top));
    }
    const base = basePoints(parts, target);
    if (base instanceof NoSuchPoint) throw new SemanticError(fault('not here', [base.why], tokenOf(first)));
    for (const one of base ?? []) {
      derived.push({ ...written, base: one, written: nameOf(one, written.alias, top), point: top });
    }
    if (derived.length === 0 && base === undefined) throw new SemanticError(this.#mismatch(parts));
    return parts.some(({ name }) => name.includes('*')) ? withoutRepeats(derived) : derived;
  }

  #mismatch(parts: readonly PointComponent[]): SemanticFault {
    const names = [...FIRST_NAMES, ...this.#needs.library.pointNames];
    return fault('point mismatch', [similarTo(parts[0]!.name, names)], tokenOf(parts[0]!));
  }
}

/** What `pn()` says: an alias, with its wildcards resolved; of a tracepoint or a mark its own name; of others what is written. */
const nameOf = ({ point, name }: BasePoint, alias: string | undefined, top: ProbePoint): string =>
  alias ?? (point.kind === 'event' ? name : pointText(top.components));

/** The points of a wildcard, which takes the first of the names that a system call has, such as `open` for `openat`. */
function withoutRepeats(derived: readonly DerivedProbe[]): readonly DerivedProbe[] {
  const calls = new Set<string>();
  return derived.filter(({ base: { point } }) => {
    if (point.kind !== 'event' || point.system !== 'syscalls') return true;
    return !calls.has(point.name) && calls.add(point.name);
  });
}

/** Whether the components of an alias begin a point. */
function matches(parts: readonly PointComponent[], alias: readonly PointComponent[]): boolean {
  return (
    alias.length <= parts.length &&
    alias.every(({ name, argument }, i) => {
      const part = parts[i]!;
      return isNamed(name, part.name) && part.argument?.value === argument?.value;
    })
  );
}

/** Whether a component's name is this one, or has wildcards that match it. */
const isNamed = (name: string, written: string): boolean => compileGlob(written).test(name);
