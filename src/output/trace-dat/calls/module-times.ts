import type { ModulesAnswer, ModuleTime } from '../../../answers/modules/modules-answer.js';
import type { Call, CallVisitor, Leave, VisitedCall } from './call-visitor.js';
import type { CalledFunction } from './called-functions.js';

/** The sums of a module. Times in ns. */
interface Sums {
  readonly func: CalledFunction;
  own: number;
  isOpen: boolean;
}

/** The innermost module whose code is open at a call. */
interface Place {
  readonly sums: Sums;
  readonly around: Place | undefined;
  /** ns of the modules whose code ran inside of it. */
  inside: number;
}

/**
 * Adds up the time of modules' code outside of functions. A module that was required ran inside of another one, one that was
 * imported before it: its time is its own in both cases.
 */
export class ModuleTimes implements CallVisitor<Place | undefined> {
  readonly #modules = new Map<CalledFunction, Sums>();

  begin({ func }: Call, parent: VisitedCall<Place | undefined> | undefined): Place | undefined {
    const around = parent?.place;
    if (func.imported === undefined) return around;
    // It got its sites when it was required.
    if (around !== undefined) around.inside += func.imported.siteTime;
    return { sums: this.#sums(func), around, inside: 0 };
  }

  end(call: VisitedCall<Place | undefined>, { duration }: Leave): void {
    add(call, duration);
  }

  unfinished(call: VisitedCall<Place | undefined>, end: number): void {
    if (call.func.imported !== undefined && call.place !== undefined) call.place.sums.isOpen = true;
    add(call, end - call.start);
  }

  /** The modules below their importers. */
  tree(): Pick<ModulesAnswer, 'time' | 'modules'> {
    const importing = new Map<string, Sums[]>();
    const roots: Sums[] = [];
    const files = new Set(Array.from(this.#modules.keys(), fileOf));
    for (const sums of this.#modules.values()) {
      const importer = sums.func.imported?.by;
      if (importer === undefined || !files.has(importer)) roots.push(sums);
      else importing.set(importer, [...(importing.get(importer) ?? []), sums]);
    }
    const modules = timesOf(roots, importing);
    return { time: modules.reduce((sum, { total }) => sum + total, 0), modules };
  }

  /** What the tree does not have, in words. */
  warnings(): readonly string[] {
    return this.#modules.size > 0
      ? []
      : ['there is no module: record a program from its start, with -p function_graph and without -l'];
  }

  #sums(func: CalledFunction): Sums {
    let sums = this.#modules.get(func);
    if (sums === undefined) this.#modules.set(func, (sums = { func, own: 0, isOpen: false }));
    return sums;
  }
}

const fileOf = ({ place, symbol }: CalledFunction): string => place?.file ?? symbol;

function add({ func, place }: VisitedCall<Place | undefined>, duration: number): void {
  if (func.imported === undefined || place === undefined) return;
  place.sums.own += Math.max(0, duration - place.inside);
  if (place.around !== undefined) place.around.inside += duration;
}

/** What imports something came before it: there are no circles. */
function timesOf(modules: readonly Sums[], importing: ReadonlyMap<string, readonly Sums[]>): readonly ModuleTime[] {
  return modules
    .map(({ func, own, isOpen }): ModuleTime => {
      const file = fileOf(func);
      const imports = timesOf(importing.get(file) ?? [], importing);
      return {
        file,
        ...(func.module !== '' && { package: func.module }),
        own,
        sites: func.imported?.siteTime ?? 0,
        total: imports.reduce((sum, { total }) => sum + total, own),
        ...(isOpen && { isOpen }),
        imports,
      };
    })
    .sort((a, b) => b.total - a.total);
}
