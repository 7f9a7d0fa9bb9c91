import { isRefused, Refused } from '../../base/refused.js';
import { symbolsOf } from '../elf/debug-files.js';
import type { ElfFile } from '../elf/elf-file.js';
import { MACHINES } from '../machines/machines.js';
import { demangled } from './demangle.js';
import { foreignRuntime } from './foreign-runtime.js';
import { emptyFacts, type FunctionFacts, setJump, setShape, VERDICT } from './function-facts.js';
import { type ObjectFunction, objectCode } from './object-functions.js';
import { functionKind, KIND, untouchable } from './special-functions.js';
import { symbolName } from './symbol-name.js';

/** Why a function has no site, as in `functions_without_sites`. */
const NO_SITE = new Refused('compiled without a site');
const IFUNC = 'only chooses the function that its name stands for, when the program is loaded';

/** Finds the functions of an object, and whether each has a site. @param jumps where a jump fits is one */
export function findFacts(elf: ElfFile, jumps: boolean): FunctionFacts {
  const symbols = symbolsOf(elf);
  const { functions, ranges } = objectCode(elf, symbols);
  const { SiteFinder, JumpFinder } = MACHINES[elf.machine].sites;
  const compiled = new SiteFinder(elf, symbols);
  const jump = jumps ? new JumpFinder(elf, ranges) : undefined;
  const facts = emptyFacts(functions.length);
  const reasons: string[] = [];
  const numberOf = (reason: string): number => {
    const known = reasons.indexOf(reason);
    return VERDICT.REASONS + (known < 0 ? reasons.push(reason) - 1 : known);
  };
  const foreign = foreignRuntime(elf);
  const ofRuntime = foreign && `is ${foreign.language}’s, whose runtime ${foreign.why}`;
  const verdict = (one: ObjectFunction, i: number): number => {
    const reason = ofRuntime ?? (one.isIfunc ? IFUNC : untouchable(one.name));
    if (reason !== undefined) return numberOf(reason);
    const site = compiled.find(one);
    if (site !== undefined) {
      const { form, table, returnSlot, frame, compiled: bytes } = site;
      setShape(facts, i, { form, table, returnSlot, frame, at: site.address - one.start, length: bytes.length });
      return VERDICT.COMPILED;
    }
    const found = jump?.find(one) ?? NO_SITE;
    if (isRefused(found)) return numberOf(found.why);
    setJump(facts, i, { at: found.address - one.start, length: found.compiled.length, moved: found.moved });
    return VERDICT.JUMP;
  };
  functions.forEach((one, i) => {
    facts.starts[i] = one.start;
    facts.sizes[i] = one.end - one.start;
    // Where a program begins there is no return address: the number of its arguments stands there.
    facts.kinds[i] = one.start === elf.entry ? KIND.keepsReturn : functionKind(one.name);
    facts.verdicts[i] = verdict(one, i);
  });
  const names = demangled(functions.map(({ name }) => name)).map(symbolName);
  let end = 0;
  names.forEach((name, i) => {
    end += name.length;
    facts.nameEnds[i] = end;
  });
  return { ...facts, names: Buffer.from(names.join(''), 'latin1'), reasons };
}
