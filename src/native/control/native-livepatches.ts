import { fileURLToPath } from 'node:url';
import { asTraceError } from '../../base/errno.js';
import type { DiversionChange, LivepatchChange, LivepatchNews, PatchedFunction } from '../../ftrace/tracers/diversions.js';
import type { TracedThread } from '../../port/port.js';
import { KLP, type KlpState } from '../code/klp-state.js';
import { symbolsOf } from '../elf/debug-files.js';
import { type ElfFile, openElf } from '../elf/elf-file.js';
import type { ElfSymbol } from '../elf/symbols.js';
import { MACHINES } from '../machines/machines.js';
import type { AddressRange } from '../process/address-range.js';
import type { InsideQuery } from '../process/threads-inside.js';
import type { CodeRange } from '../text/object-functions.js';
import { wholeName } from '../text/symbol-name.js';
import type { ChangeQueue, StoppedLook } from './change-queue.js';
import { LivepatchTransition } from './livepatch-transition.js';
import { type LoadedObject, type LoadingNeeds, loadObject } from './loaded-objects.js';
import type { NativeArena } from './native-arena.js';
import type { NativeReplacements } from './native-replacements.js';
import type { NativeTexts } from './native-texts.js';
import type { PortNews } from './port-news.js';
import type { SiteTargets } from './site-targets.js';

/** Milliseconds before the next look at a transition, after so many looks (klp_transition_work_fn). */
type Interval = (looks: number) => number;
const QUICK_LOOKS = 50;
const ofOthers: Interval = (looks) => (looks <= QUICK_LOOKS ? 20 : 1000);
/** For each look another process is started. */
const LONGEST = 5000;
const ofItself: Interval = (looks) => Math.min(LONGEST, 25 * 2 ** looks);

/** What live patches need of the port. */
export interface NativeLivepatchesNeeds extends LoadingNeeds {
  readonly arena: NativeArena;
  readonly targets: SiteTargets;
  readonly queue: ChangeQueue;
  readonly texts: NativeTexts;
  readonly replacements: NativeReplacements;
  /** Whether it is this process. */
  readonly hasJavaScript: boolean;
  readonly news: PortNews;
}

/** A live patch of a native process. */
interface NativeLivepatch {
  readonly number: number;
  readonly object: LoadedObject;
  readonly transition: LivepatchTransition;
  readonly look: StoppedLook;
  functions: readonly PatchedFunction[];
  /** Where the functions' own code is. */
  own: readonly AddressRange[];
  /** The last change of its state that was asked for; 0: none was. */
  seq: number;
  looks: number;
  timer?: NodeJS.Timeout | undefined;
}

type Change<Name extends LivepatchChange['change']> = Extract<LivepatchChange, { change: Name }>;

/**
 * Live patches of a native process: the sites of functions lead to a handler, which goes on with the function or with one of a
 * shared object, as the patch's transition says. All cpus are told the same; the first that is told counts.
 */
export class NativeLivepatches {
  readonly #needs: NativeLivepatchesNeeds;
  readonly #patches = new Map<number, NativeLivepatch>();
  /** The numbers of all whose objects were loaded, or could not be. */
  readonly #tried = new Set<number>();

  constructor(needs: NativeLivepatchesNeeds) {
    this.#needs = needs;
    needs.news.hearUnreached((n, why) => this.#unreached(n, why));
  }

  change(thread: TracedThread, change: DiversionChange): void {
    if (change.type === 'livepatch') this.#obey(thread, change);
  }

  #obey(thread: TracedThread, change: LivepatchChange): void {
    const patch = this.#patches.get(change.patch);
    if (change.change === 'load') {
      if (!this.#tried.has(change.patch)) this.#load(thread, change);
    } else if (patch === undefined) return;
    else if (change.change === 'patch') this.#patch(patch, change);
    else if (change.change === 'enable' || change.change === 'disable') this.#go(thread, patch, change);
    else if (change.change === 'force') this.#end(patch);
    else this.#remove(patch);
  }

  /**
   * The site of a function could not be changed: the reason. It does not lead to the handler yet if the patch was never enabled.
   */
  #unreached(n: number, why: string): void {
    for (const patch of this.#patches.values()) {
      const one = patch.functions.find((other) => other.n === n);
      if (one !== undefined && patch.seq === 0) this.#refuse(patch, one, why);
    }
  }

  /** All text is about to become what it was. */
  restore(): void {
    for (const patch of this.#patches.values()) this.#remove(patch);
  }

  #refuse({ number }: NativeLivepatch, { symbol }: PatchedFunction, why: string): void {
    this.#tell(this.#needs.news.cpus[0]!, number, { news: 'unreached', message: `${symbol}: ${why}` });
  }

  #load(thread: TracedThread, { patch: number, url }: Change<'load'>): void {
    const { memory, targets } = this.#needs;
    const put = (bytes: Uint8Array): number => targets.handler(() => bytes);
    this.#tried.add(number);
    try {
      const object = loadObject(this.#needs, fileURLToPath(url));
      const transition = new LivepatchTransition({ memory, put, callsOf: (state) => this.#callsOf(number, state) });
      const look = this.#lookOf(number, transition);
      this.#patches.set(number, { number, object, transition, look, functions: [], own: [], seq: 0, looks: 0 });
      const replacements = Array.from(object.functions.keys(), (symbol) => ({ symbol }));
      this.#tell(thread, number, { news: 'loaded', replacements, variables: [] });
    } catch (error) {
      this.#tell(thread, number, { news: 'failed', message: asTraceError(error).message });
    }
  }

  #patch(patch: NativeLivepatch, { functions }: Change<'patch'>): void {
    if (patch.functions.length > 0) return;
    patch.functions = functions;
    patch.own = codeOfFunctions(this.#needs.texts, functions);
    for (const one of functions) {
      const replacement = patch.object.functions.get(one.symbol)!;
      const refused = this.#needs.replacements.prepare(one.n, replacement, patch.transition.word);
      if (refused !== undefined) this.#refuse(patch, one, refused);
    }
  }

  #go(thread: TracedThread, patch: NativeLivepatch, { change, seq }: Change<'enable' | 'disable'>): void {
    if (seq === patch.seq) {
      // A cpu that came later.
      if (patch.transition.isOver) this.#tell(thread, patch.number, { news: 'over', seq });
      return;
    }
    patch.seq = seq;
    patch.looks = 0;
    patch.transition.begin(change === 'enable' ? KLP.PATCHED : KLP.UNPATCHED);
    this.#look(patch);
  }

  #end(patch: NativeLivepatch): void {
    if (patch.transition.isOver) return;
    patch.transition.end();
    this.#over(patch);
  }

  #remove(patch: NativeLivepatch): void {
    clearTimeout(patch.timer);
    this.#patches.delete(patch.number);
    patch.transition.begin(KLP.UNPATCHED);
    patch.transition.end();
    for (const { n } of patch.functions) this.#needs.replacements.forget(n);
  }

  /** Looks at the threads at the next stop, and again later. */
  #look(patch: NativeLivepatch): void {
    const { queue, hasJavaScript } = this.#needs;
    clearTimeout(patch.timer);
    const interval = (hasJavaScript ? ofItself : ofOthers)(++patch.looks);
    patch.timer = setTimeout(() => this.#look(patch), interval).unref();
    queue.addLook(patch.look);
  }

  #lookOf(number: number, transition: LivepatchTransition): StoppedLook {
    return {
      ask: () => (transition.isOver || !this.#patches.has(number) ? undefined : transition.look()),
      told: (looked) => {
        transition.looked(looked);
        if (transition.isOver) this.#over(this.#patches.get(number)!);
        else this.#clearStacks(looked.waiting ?? []);
      },
    };
  }

  #over(patch: NativeLivepatch): void {
    const { number, seq } = patch;
    clearTimeout(patch.timer);
    setImmediate(() => {
      for (const thread of [...this.#needs.news.cpus]) this.#tell(thread, number, { news: 'over', seq });
    });
  }

  /**
   * Asks threads that seem to have calls open of code that they are to leave to write over what ended calls have left on their
   * stacks: those that run JavaScript can be told so.
   */
  #clearStacks(tids: readonly number[]): void {
    for (const { tid, script } of this.#needs.news.cpus) if (tids.includes(tid)) script?.post({ type: 'clear stack' });
  }

  #tell(thread: TracedThread, patch: number, news: LivepatchNews): void {
    this.#needs.news.listener.told(thread, { type: 'livepatch', patch, ...news });
  }

  /** Open calls of what runs in a state of a patch. A thread in a handler has chosen by what the patch's word was. */
  #callsOf(number: number, state: KlpState): InsideQuery {
    const { arena, targets, news, replacements } = this.#needs;
    const { functions, object, own } = this.#patches.get(number)!;
    const handlers = functions.flatMap(({ n }) => replacements.of(n)?.handler ?? []);
    return {
      code: [...handlers, ...(state === KLP.PATCHED ? object.code : own)],
      codeAreas: targets.code,
      blocks: news.cpus.map(({ block }) => arena.block(block)),
    };
  }
}

/** Where the functions' own code is. Each object's file is read once. */
function codeOfFunctions(texts: NativeTexts, functions: readonly PatchedFunction[]): readonly AddressRange[] {
  const objects = new Map<string, { readonly elf: ElfFile; readonly symbols: readonly ElfSymbol[] }>();
  return functions.flatMap(({ n }) => {
    const found = texts.function(n);
    if (found === undefined) return [];
    const { base, bias, file } = found.object.text;
    const path = texts.pathOf(file);
    const { elf, symbols } = objects.get(path) ?? readObject(path, file);
    objects.set(path, { elf, symbols });
    const inFile = base - bias;
    const code = functionCode(elf, symbols, { start: inFile + found.one.start, end: inFile + found.one.end });
    return code.map(({ start, end }) => ({ start: start + bias, end: end + bias }));
  });
}

function readObject(path: string, file: string): { readonly elf: ElfFile; readonly symbols: readonly ElfSymbol[] } {
  const elf = openElf(path, file);
  return { elf, symbols: symbolsOf(elf) };
}

/**
 * The ranges of the addresses at which a thread that has begun to run a function can be, or to which it returns; addresses of the
 * file. With the parts that the compiler has moved away from the function (`.cold`).
 */
function functionCode(elf: ElfFile, symbols: readonly ElfSymbol[], { start, end }: CodeRange): readonly CodeRange[] {
  const names = new Set(symbols.filter(({ address }) => address === start).map(({ name }) => name));
  const parts = symbols.filter(({ name }) => wholeName(name) !== name && names.has(wholeName(name)));
  return [
    { start: start + 1, end: returnEnd(elf, end) },
    ...parts.map(({ address, size }) => ({ start: address, end: returnEnd(elf, address + size) })),
  ];
}

/**
 * A call that does not return may be the last instruction: it would return to what follows, which is mostly another function's
 * start.
 */
function returnEnd(elf: ElfFile, end: number): number {
  return MACHINES[elf.machine].sites.endsWithCall(elf, end) ? end + 1 : end;
}
