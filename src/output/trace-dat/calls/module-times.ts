import type { ModulesAnswer, ModuleTime } from '../../../answers/modules/modules-answer.js';
import type { Call, CallVisitor, Leave, VisitedCall, WalkedRecording } from './call-visitor.js';
import type { CalledFunction } from './called-functions.js';

/** The sums of a module. Times in ns. */
interface Sums {
  readonly func: CalledFunction;
  own: number;
  /** From when its text had its sites until its code began, or of an ES module until it was compiled. Absent: not known. */
  compile?: number;
  isOpen: boolean;
}

/** The innermost module whose code is open at a call. */
interface Place {
  readonly sums: Sums;
  readonly around: Place | undefined;
  /** ns of the modules whose code ran inside of it. */
  inside: number;
}

/** The longest that V8 is thought to compile a text, in ns. */
const LONGEST = 60e9;

/**
 * Adds up the time of modules' code outside of functions. A module that was required ran inside of another one, one that was
 * imported before it: its time is its own in both cases.
 */
export class ModuleTimes implements CallVisitor<Place | undefined> {
  readonly #modules = new Map<CalledFunction, Sums>();
  #siteless: () => readonly CalledFunction[] = () => [];

  open({ siteless }: WalkedRecording): void {
    this.#siteless = siteless;
  }

  begin({ func, start }: Call, parent: VisitedCall<Place | undefined> | undefined): Place | undefined {
    const around = parent?.place;
    if (func.imported === undefined) return around;
    const { siteTime, readTime = 0, linkedAt, compileTime } = func.imported;
    const sums = this.#sums(func);
    const compile = linkedAt === undefined ? -1 : start - linkedAt;
    // Another clock's time is no time since then.
    if (compile >= 0 && compile < LONGEST) sums.compile ??= compile;
    if (compileTime !== undefined) sums.compile ??= compileTime;
    // It was loaded when it was required.
    if (around !== undefined) around.inside += siteTime + readTime + (sums.compile ?? 0);
    return { sums, around, inside: 0 };
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
    for (const func of this.#siteless()) {
      const sums = this.#sums(func);
      if (func.imported?.compileTime !== undefined) sums.compile = func.imported.compileTime;
    }
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
    .map(({ func, own, compile, isOpen }): ModuleTime => {
      const file = fileOf(func);
      const imports = timesOf(importing.get(file) ?? [], importing);
      const read = func.imported?.readTime;
      const loading = (read ?? 0) + (compile ?? 0);
      return {
        file,
        ...(func.module !== '' && { package: func.module }),
        own,
        ...(read !== undefined && { read }),
        ...(compile !== undefined && { compile }),
        sites: func.imported?.siteTime ?? 0,
        total: imports.reduce((sum, { total }) => sum + total, own + loading),
        ...(func.imported?.isSiteless && { waits: true }),
        ...(isOpen && { isOpen }),
        imports,
      };
    })
    .sort((a, b) => b.total - a.total);
}
