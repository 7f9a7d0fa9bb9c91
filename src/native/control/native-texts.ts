import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { attempt } from '../../base/attempt.js';
import type { TextAnnouncement } from '../../port/port.js';
import { type ElfFile, openElf } from '../elf/elf-file.js';
import { hasCompiledSites } from '../elf/site-tables.js';
import { baseOf, isExecutable, type MappedObject, type MappedRange, mappedObjects } from '../process/process-maps.js';
import { DebugText } from '../text/debug-text.js';
import type { FactsCache } from '../text/facts-cache.js';
import { linkObject } from '../text/link-object.js';
import type { NativeFunction, NativeText } from '../text/native-text.js';
import { ToldWork } from './told-work.js';

/** A text of the process, and the ranges of its code. */
export interface LinkedObject {
  readonly text: NativeText;
  readonly code: readonly MappedRange[];
}

/** A function, by its number. */
export interface FunctionOfText {
  readonly object: LinkedObject;
  readonly one: NativeFunction;
}

/** Gives numbers to so many functions: the first; each is above those that were given before. */
export type ClaimFunctions = (count: number) => number;

function counter(): ClaimFunctions {
  let next = 0;
  return (count) => {
    next += count;
    return next - count;
  };
}

/** An object that is mapped and not linked yet. */
interface UnlinkedObject {
  readonly object: MappedObject;
  readonly base: number;
  readonly isExecutable: boolean;
}

/** The objects that a process has mapped, linked when their functions are first needed: that takes seconds for a large one. */
export class NativeTexts {
  readonly #pid: number;
  /** By file and address: an object that is unmapped and mapped again elsewhere is another text. */
  readonly #seen = new Set<string>();
  readonly #objects: LinkedObject[] = [];
  #unlinked: UnlinkedObject[] = [];
  /** Linked, and not yet taken. */
  #fresh: LinkedObject[] = [];
  readonly #claim: ClaimFunctions;

  /** The executable's functions have a module too: those without one are not native. */
  readonly #isModule: boolean;

  readonly #cache: FactsCache | undefined;
  readonly #work: ToldWork;

  /**
   * @param claim gives functions their numbers, beside those that are not native; by default all are
   * @param cache has what was found out about objects before
   * @param work is told what is looked for
   */
  constructor(pid: number, claim?: ClaimFunctions, cache?: FactsCache, work = new ToldWork(pid)) {
    this.#pid = pid;
    this.#cache = cache;
    this.#work = work;
    this.#claim = claim ?? counter();
    this.#isModule = claim !== undefined;
  }

  /** All of them, by the numbers of their functions. */
  get all(): readonly LinkedObject[] {
    this.#linkAll();
    return this.#objects;
  }

  /** Sees what is mapped now and was not before. What holds calls that are to be NOPs is linked. */
  look(maps: readonly MappedRange[]): void {
    const executable = attempt(() => readlinkSync(`/proc/${this.#pid}/exe`));
    const found = mappedObjects(maps).flatMap((object): UnlinkedObject[] => {
      const base = baseOf(object);
      const key = `${object.ranges[0]!.file} ${base}`;
      if (base === undefined || this.#seen.has(key)) return [];
      this.#seen.add(key);
      return [{ object, base, isExecutable: object.path === executable }];
    });
    for (const one of found) {
      if (this.#hasSites(one)) this.#link(one);
      else this.#unlinked.push(one);
    }
  }

  /**
   * Takes the objects that were linked since the last call.
   * @param areAllNeeded links the others first
   */
  take(areAllNeeded: boolean): readonly LinkedObject[] {
    if (areAllNeeded) this.#linkAll();
    return this.#fresh.splice(0);
  }

  /** Where this process finds a file of the other one, which may have another root. */
  pathOf(file: string): string {
    return `/proc/${this.#pid}/root${file}`;
  }

  /** Undefined for a number that no function has. */
  function(n: number): FunctionOfText | undefined {
    let low = 0;
    let high = this.#objects.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#objects[middle]!.text.firstFunction <= n) low = middle + 1;
      else high = middle;
    }
    const object = this.#objects[low - 1];
    const one = object?.text.functions[n - object.text.firstFunction];
    return one && { object: object!, one };
  }

  #linkAll(): void {
    const unlinked = this.#unlinked;
    this.#unlinked = [];
    for (const one of unlinked) this.#link(one);
  }

  #hasSites({ object, isExecutable }: UnlinkedObject): boolean {
    const elf = this.#open(object);
    return elf !== undefined && hasCompiledSites(elf, isExecutable);
  }

  #link({ object, base, isExecutable }: UnlinkedObject): void {
    const module = isExecutable && !this.#isModule ? '' : basename(object.path);
    const linked = this.#linked(object, base, module);
    if (linked === undefined) return;
    this.#objects.push(linked);
    this.#fresh.push(linked);
  }

  /** Undefined: the file is another one by now, or no object. */
  #open({ path, ranges }: MappedObject): ElfFile | undefined {
    const file = this.pathOf(path);
    const inode = ranges[0]!.file.split(' ')[1];
    if (attempt(() => String(statSync(file).ino)) !== inode) return undefined;
    return attempt(() => openElf(file, path));
  }

  #linked(object: MappedObject, base: number, module: string): LinkedObject | undefined {
    const elf = this.#open(object);
    if (elf === undefined) return undefined;
    const { path, ranges } = object;
    const mapping = { base, module, firstFunction: 0, jumps: true, finds: () => this.#work.finds(path) };
    const text = linkObject(elf, mapping, this.#cache);
    return {
      text: {
        ...text,
        firstFunction: this.#claim(text.functions.length),
        authorsSource: (source) => (isAbsolute(source) ? attempt(() => readFileSync(source, 'utf8')) : undefined),
        debug: new DebugText({ file: path, from: elf.span[0], bias: text.bias, open: () => openElf(this.pathOf(path), path) }),
      },
      code: ranges.filter(isExecutable),
    };
  }
}

/** A text as it is announced to the control side. */
export const announcementOf = ({ text }: LinkedObject): TextAnnouncement => ({
  firstFunction: text.firstFunction,
  functionCount: text.functions.length,
  read: () => text,
});
