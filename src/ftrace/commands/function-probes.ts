import { TraceError } from '../../base/errno.js';
import { groupBy } from '../../base/group-by.js';
import { decider } from '../function-filter.js';
import { type FunctionMatcher, type FunctionNames, functionTest } from '../function-match.js';
import type { CommandWord, ProbeEvent } from './command-word.js';
import { FunctionProbe, type ProbeGroup, probeText } from './function-probe.js';
import type { Allocate } from './probe-counts.js';

/** The listener for changes of an instance's probes. */
export interface ProbesListener {
  /** Functions got a probe. */
  added(probe: FunctionProbe, group: ProbeGroup): void;
  /** Functions lost it. */
  removed(probe: FunctionProbe, functions: Uint32Array): void;
}

/** The probes that an instance's set_ftrace_filter has set (tr->func_probes). */
export class FunctionProbes {
  readonly #listener: ProbesListener;
  readonly #allocate: Allocate | undefined;
  /** Newest first, as they are listed and as they fire. */
  #probes: readonly FunctionProbe[] = [];

  /** @param allocate gives the memory of their counts, which all threads write to */
  constructor(listener: ProbesListener, allocate?: Allocate) {
    this.#allocate = allocate;
    this.#listener = listener;
  }

  get all(): readonly FunctionProbe[] {
    return this.#probes;
  }

  /** The events that the commands switch. */
  events(): readonly ProbeEvent[] {
    return this.#probes.flatMap((probe) => [...probe.events()]);
  }

  /**
   * Adds a command (register_ftrace_function_probe) or removes it (unregister_ftrace_function_probe_func).
   * @param waits nothing is linked yet: the functions may come later
   * @throws TraceError EINVAL if it matches no function, or only those that already have the command; ENODEV if no function
   *   has the command to remove
   */
  apply(word: CommandWord, matcher: FunctionMatcher, names: FunctionNames, waits: boolean): void {
    if (word.not) this.#remove(word, names);
    else this.#add(word, matcher, waits);
  }

  /** Adds functions that were linked: each gets the probes of the last word that matches it. */
  link(names: FunctionNames, linked: readonly number[]): void {
    for (const probe of this.#probes) {
      const decide = decider(probe.words, names);
      for (const [word, functions] of groupBy(linked, decide)) if (word?.not === false) this.#give(probe, functions, word);
    }
  }

  /** The lines of set_ftrace_filter. `text` is a function as they show it. */
  *lines(names: FunctionNames, text: (n: number) => string): Generator<string> {
    for (const probe of this.#probes) {
      for (const n of names.listed) if (probe.functions.has(n)) yield `${text(n)}${probe.text(n)}\n`;
      for (const word of probe.waiting) yield `${word.pattern}${probeText(word.command, word.event, word.count)}\n`;
    }
  }

  #add(word: CommandWord, matcher: FunctionMatcher, waits: boolean): void {
    const matched = matcher.match(word);
    if (matched.length === 0 && !waits) throw new TraceError('EINVAL', `no function matches ${word.text}`);
    const known = this.#find(word);
    const fresh = known === undefined ? matched : matched.filter((n) => !known.functions.has(n));
    if (fresh.length === 0 && !waits) throw new TraceError('EINVAL', `every function that matches ${word.text} already has it`);
    const probe = known ?? new FunctionProbe(word.command, word.count !== undefined, this.#allocate);
    if (known === undefined) this.#probes = [probe, ...this.#probes];
    if (word.index === undefined) probe.remember(word);
    if (fresh.length > 0) this.#give(probe, fresh, word);
  }

  #give(probe: FunctionProbe, functions: readonly number[], word: CommandWord): void {
    this.#listener.added(probe, probe.add(functions, word));
  }

  #remove(word: CommandWord, names: FunctionNames): void {
    if (word.pattern.startsWith('!')) throw new TraceError('EINVAL', `${word.text} has two exclamation marks`);
    const probe = this.#find(word);
    if (probe === undefined) throw new TraceError('ENODEV', `no function has ${word.command}`);
    const isAll = word.pattern === '' || word.pattern === '*';
    const matched = isAll ? [...probe.functions] : [...probe.functions].filter(functionTest(word, names));
    if (matched.length === 0 && !isAll) throw new TraceError('EINVAL', `no function with ${word.command} matches ${word.text}`);
    if (isAll) probe.forgetWords();
    else probe.remember(word);
    probe.remove(matched);
    if (probe.isEmpty) this.#probes = this.#probes.filter((one) => one !== probe);
    this.#listener.removed(probe, Uint32Array.from(matched));
  }

  #find({ command, count }: CommandWord): FunctionProbe | undefined {
    return this.#probes.find((probe) => probe.command === command && probe.counted === (count !== undefined));
  }
}
