import { isRefused, Refused } from '../../base/refused.js';
import { type ElfFile, SEGMENT } from '../elf/elf-file.js';
import { MACHINES } from '../machines/machines.js';
import type { FactsCache } from './facts-cache.js';
import { findFacts } from './find-facts.js';
import { type FunctionFacts, nameOf, shapeOf, VERDICT } from './function-facts.js';
import type { NativeFunction, NativeText, ObjectMapping } from './native-text.js';
import type { NativeSite } from './site.js';
import { isUnwinder, KIND } from './special-functions.js';

/** Why a function's return address cannot be replaced: a return probe cannot hear its end. */
const KEEPS_RETURN = 'it looks at its return address, or keeps it';
const NO_RETURN_SLOT = 'its return address cannot be found where its site is';

/** The functions of an object that is mapped. Their sites and names are made when they are asked for. */
class MappedFunctions {
  readonly facts: FunctionFacts;
  readonly from: number;
  readonly isUnwinder: boolean;
  readonly #elf: ElfFile;
  readonly #bias: number;
  readonly #sites = new Map<number, NativeSite | Refused>();
  readonly #names: string[] = [];

  constructor(elf: ElfFile, facts: FunctionFacts, from: number, bias: number, module: string) {
    this.facts = facts;
    this.from = from;
    this.isUnwinder = isUnwinder(module);
    this.#elf = elf;
    this.#bias = bias;
  }

  name(i: number): string {
    return (this.#names[i] ??= nameOf(this.facts, i));
  }

  /** The site of a function, or why it has none. */
  site(i: number): NativeSite | Refused {
    const { verdicts, reasons } = this.facts;
    const verdict = verdicts[i]!;
    if (verdict >= VERDICT.REASONS) return new Refused(reasons[verdict - VERDICT.REASONS]!);
    let site = this.#sites.get(i);
    if (site === undefined) {
      site = this.#read(i, verdict);
      this.#sites.set(i, site);
    }
    return site;
  }

  /** Why a function has no site. Reads nothing. */
  reason(i: number): string | undefined {
    const { verdicts, reasons } = this.facts;
    if (verdicts[i]! >= VERDICT.REASONS) return reasons[verdicts[i]! - VERDICT.REASONS];
    const known = this.#sites.get(i);
    return isRefused(known) ? known.why : undefined;
  }

  unheard(i: number): string | undefined {
    const { kinds, verdicts } = this.facts;
    if (this.isUnwinder || kinds[i] === KIND.keepsReturn) return KEEPS_RETURN;
    const isCopy = verdicts[i] === VERDICT.COMPILED && shapeOf(this.facts, i).returnSlot === 'copy';
    return isCopy ? NO_RETURN_SLOT : undefined;
  }

  #read(i: number, verdict: number): NativeSite | Refused {
    const { starts, siteAt, siteLengths, siteMoved } = this.facts;
    const { CallSite, JumpSite } = MACHINES[this.#elf.machine].sites;
    const start = starts[i]! + siteAt[i]!;
    const address = start + this.#bias;
    try {
      const code = this.#elf.at(start, siteLengths[i]!) ?? Buffer.alloc(0);
      // What it was read with is not kept.
      const compiled = Uint8Array.prototype.slice.call(code);
      if (verdict === VERDICT.JUMP) return new JumpSite(address, compiled, siteMoved[i]!);
      return new CallSite({ ...shapeOf(this.facts, i), address, compiled });
    } catch (error) {
      return new Refused((error as Error).message);
    }
  }
}

class MappedFunction implements NativeFunction {
  readonly line = 0;
  readonly column = 0;
  readonly params: readonly string[] = [];
  readonly start: number;
  readonly end: number;
  readonly #all: MappedFunctions;
  readonly #i: number;

  constructor(all: MappedFunctions, i: number) {
    this.#all = all;
    this.#i = i;
    this.start = all.facts.starts[i]! - all.from;
    this.end = this.start + all.facts.sizes[i]!;
  }

  get name(): string {
    return this.#all.name(this.#i);
  }

  get kind(): number {
    return this.#all.facts.kinds[this.#i]!;
  }

  get site(): NativeSite | undefined {
    const site = this.#all.site(this.#i);
    return isRefused(site) ? undefined : site;
  }

  get hasCompiledSite(): boolean {
    return this.#all.facts.verdicts[this.#i] === VERDICT.COMPILED;
  }

  get reason(): string | undefined {
    return this.#all.reason(this.#i);
  }

  get unheard(): string | undefined {
    return this.#all.unheard(this.#i);
  }
}

/**
 * Links an object as it is mapped into a process: its functions with their sites, or the reasons why they have none. The
 * kernel does the same at boot, and when it loads a module (ftrace_process_locs of kernel/trace/ftrace.c).
 * @param cache has what was found out before; absent: it is found out
 */
export function linkObject(
  elf: ElfFile,
  { base, module, firstFunction, jumps = false, finds }: ObjectMapping,
  cache?: FactsCache,
): NativeText {
  const [from, to] = elf.span;
  const bias = base === undefined ? 0 : base - from;
  const find = (): FunctionFacts => {
    finds?.();
    return findFacts(elf, jumps);
  };
  const facts = cache === undefined ? find() : cache.get(elf, jumps, find);
  const functions = new MappedFunctions(elf, facts, from, bias, module);
  const { file, machine, segments } = elf;
  return {
    file,
    module,
    length: to - from,
    base: from + bias,
    bias,
    firstFunction,
    machine,
    functions: Array.from({ length: facts.count }, (_, i) => new MappedFunction(functions, i)),
    unitAt(offset) {
      const one = segments.find(
        (segment) => segment.type === SEGMENT.load && offset >= segment.offset && offset < segment.offset + segment.fileSize,
      );
      return one && one.address + offset - one.offset - from;
    },
  };
}
