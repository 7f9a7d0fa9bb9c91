import { asTraceError } from '../../base/errno.js';
import { sameBytes } from '../../base/same-bytes.js';
import { OPS_ID } from '../../ftrace/ops.js';
import { NO_OPS } from '../../ftrace/ops-lists.js';
import type { ProbeChange, ProfilerConfig, ServiceKind } from '../../ftrace/tracers/services.js';
import type { TracerConfig } from '../../ftrace/tracers/tracer-config.js';
import type { PatchedSites, PortCommand } from '../../port/port.js';
import { FUNCTION_FLAG, PROFILE_MODE } from '../code/arena.js';
import { FUNCTION_OPERATION } from '../code/operations.js';
import type { StoppedThread } from '../process/stop.js';
import type { TextChange } from '../process/text-changes.js';
import type { NativeText } from '../text/native-text.js';
import type { NativeSite } from '../text/site.js';
import { isUnwinder, KIND } from '../text/special-functions.js';
import type { ChangeQueue } from './change-queue.js';
import type { FunctionCommands } from './function-commands.js';
import type { NativeArena } from './native-arena.js';
import type { NativeInstances } from './native-instances.js';
import type { NativeOperations, RoutineOperation } from './native-operations.js';
import type { NativeReplacements } from './native-replacements.js';
import type { FunctionOfText, NativeTexts } from './native-texts.js';
import type { PortNews } from './port-news.js';
import type { ProbedEnds, SiteTarget, SiteTargets } from './site-targets.js';
import type { ToldWork } from './told-work.js';

/** What the sites need. */
export interface SitesNeeds {
  readonly arena: NativeArena;
  readonly queue: ChangeQueue;
  readonly texts: NativeTexts;
  readonly work: ToldWork;
  readonly targets: SiteTargets;
  readonly instances: NativeInstances;
  readonly operations: NativeOperations;
  readonly commands: FunctionCommands;
  readonly replacements: NativeReplacements;
  readonly news: PortNews;
  /** Whether JavaScript that is traced runs in the process: it then goes on where text cannot be changed any more. */
  readonly hasJavaScript: boolean;
}

/** Functions that are read between two reports of progress. */
const TOLD = 256;

const inBits = (bits: Uint32Array | undefined, n: number): boolean =>
  bits !== undefined && ((bits[n >>> 5] ?? 0) & (1 << (n & 31))) !== 0;

/** The sites of a process's text, which all of its threads run: patched once for all of them. */
export class NativeSites implements PatchedSites {
  readonly #needs: SitesNeeds;
  /** The addresses of the functions of texts that were ever patched, by the number of the first. */
  readonly #described = new Map<number, Float64Array>();
  /** Ids of ops, by the number of their list. */
  readonly #ops = new Map<number, readonly number[]>();
  /** The list that each patched function's site calls. */
  readonly #lists = new Map<number, number>();
  /** What the sites that were ever changed have now. */
  readonly #present = new Map<number, Uint8Array>();
  /** The tracers of instances, by their ops. */
  readonly #tracers = new Map<number, { readonly instance: number; readonly config: TracerConfig }>();
  /** The lists of operations that functions have. */
  readonly #operations = new Map<number, number>();
  #lastChange: unknown;
  #isLimited = false;
  #isClosed = false;
  /** The probes of functions. */
  readonly #probed = new Map<number, ProbedEnds>();
  /** Functions whose sites have not become what they should be, because no text could be changed. */
  readonly #left = new Set<number>();
  /** PROFILE_MODE */
  #profile = 0;
  #config: TracerConfig | undefined;

  constructor(needs: SitesNeeds) {
    this.#needs = needs;
    if (needs.hasJavaScript) needs.queue.hearRefusals({ forbidden: () => this.#close(), changed: () => this.#reopen() });
  }

  post(command: PortCommand): void {
    if (command.type === 'functions') {
      const { firstFunction, addresses } = command.functions;
      this.#described.set(firstFunction, addresses);
      this.#describe(firstFunction, addresses);
    }
    if (command.type !== 'patch') return;
    const { functions, lists, added } = command.patches;
    for (const { list, ops } of added) this.#ops.set(list, ops);
    const armed = Array.from(functions).filter((_, i) => lists[i] !== NO_OPS);
    const isArming = armed.length > 0;
    this.#prepare(armed);
    const changes = Array.from(functions, (n, i) => {
      if (i % TOLD === 0) this.#needs.work.plans(i, functions.length, isArming);
      return this.#arm(n, lists[i]!);
    });
    this.#needs.queue.addText(changes.flat());
  }

  /** The place that the entry or the end of a function is has got probes, or has none any more: its number, or undefined. */
  setProbed(n: number, where: keyof ProbedEnds, place: number | undefined): void {
    this.#probed.set(n, { ...this.#probed.get(n), [where]: place });
    const list = this.#lists.get(n);
    if (list !== undefined) this.#needs.queue.addText(this.#arm(n, list));
  }

  /** The tracer of the top level has another configuration; all threads have the same. */
  setTracer(config: TracerConfig): void {
    const before = this.#config;
    if (before === config) return;
    this.#config = config;
    const { arena } = this.#needs;
    const { threshold, maxDepth, graphFunctions, graphNotrace, retval, args } = config;
    arena.setThreshold(threshold);
    arena.setGate('MAX_DEPTH', maxDepth === 0 ? DEEPEST : maxDepth);
    arena.setGate('RESULTS', retval ? 1 : 0);
    arena.setGate('ARGUMENTS', args ? 1 : 0);
    arena.setGate('HAS_GRAPH_FUNCTIONS', graphFunctions === undefined ? 0 : 1);
    const isOther = before?.graphFunctions !== graphFunctions || before?.graphNotrace !== graphNotrace;
    if (isOther) for (const [first, addresses] of this.#described) this.#describe(first, addresses);
    this.#isLimited =
      threshold > 0 || maxDepth > 0 || retval || args || graphFunctions !== undefined || graphNotrace !== undefined;
    this.#open();
    const isSame = before?.tracer === config.tracer && !differs(before, config);
    if (isSame || config.tracer === 'nop') return;
    this.#prepare([...this.#lists.keys()]);
    this.#rearm(this.#lists.keys());
  }

  /** Sets the tracer of an instance, whose tracer is called as `ops`. */
  setInstanceTracer(ops: number, instance: number, config: TracerConfig): void {
    if (this.#tracers.get(ops)?.config === config) return;
    const known = this.#tracers.get(ops)?.config;
    this.#tracers.set(ops, { instance, config });
    if (known === undefined || differs(known, config)) this.#rearm(this.#lists.keys());
  }

  /** An instance has buffers now. */
  instanceAdded(): void {
    this.#rearm(this.#lists.keys());
  }

  removeInstance(instance: number): void {
    for (const [ops, one] of this.#tracers) if (one.instance === instance) this.#tracers.delete(ops);
    this.#rearm(this.#lists.keys());
  }

  /** A service has another configuration; all threads have the same. */
  setService(kind: ServiceKind, config: unknown): void {
    if (kind === 'profiler') this.#setProfiler(config as ProfilerConfig | undefined);
    if (kind !== 'probe' || config === undefined || config === this.#lastChange) return;
    this.#lastChange = config;
    this.#rearm(this.#needs.commands.change(config as ProbeChange));
  }

  #setProfiler(config: ProfilerConfig | undefined): void {
    const { RUN_TIME, OWN_TIME, ON } = PROFILE_MODE;
    const mode = config === undefined ? 0 : ON | (config.sleepTime ? 0 : RUN_TIME) | (config.graphTime ? 0 : OWN_TIME);
    if (mode === this.#profile) return;
    this.#profile = mode;
    if (mode !== 0) this.#open();
    else {
      // With the changes of the text, which does not lead to the profiler any more: function_graph would take its calls for its
      // own.
      const { queue } = this.#needs;
      queue.addWork(() => {
        if (queue.hasText) return false;
        this.#open();
        return true;
      });
    }
  }

  /** Text cannot be changed: nothing is recorded, because nothing may want the calls of sites that are armed. */
  #close(): void {
    this.#isClosed = true;
    this.#open();
  }

  /** Text was changed again. What could not be changed before follows, and then calls are recorded. */
  #reopen(): void {
    if (!this.#isClosed) return;
    this.#isClosed = false;
    this.#rearm(this.#left);
    this.#left.clear();
    const { queue } = this.#needs;
    queue.addWork(() => {
      if (queue.hasText) return false;
      this.#open();
      return true;
    });
  }

  #open(): void {
    this.#needs.arena.setGate('PROFILE', this.#profile);
    const open = this.#isLimited || this.#profile !== 0 ? 'LIMITED' : 'ALL';
    this.#needs.arena.setOpen(this.#isClosed ? 'NOT' : open);
  }

  #rearm(functions: Iterable<number>): void {
    const changes = Array.from(functions, (n) => this.#arm(n, this.#lists.get(n) ?? NO_OPS));
    this.#needs.queue.addText(changes.flat());
  }

  #describe(first: number, addresses: Float64Array): void {
    this.#needs.arena.setFunctions(
      first,
      addresses,
      (n) => this.#flags(n),
      (n) => this.#operations.get(n) ?? 0,
    );
  }

  /** Makes the calls and the single NOPs that a compiler left one NOP each, as ftrace_init() does. */
  idle({ firstFunction, functions }: NativeText): void {
    const changes = functions.flatMap((one, i) => {
      const site = one.hasCompiledSite ? one.site : undefined;
      return site === undefined || sameBytes(site.compiled, site.nop) ? [] : this.#change(firstFunction + i, site, site.nop);
    });
    this.#needs.queue.addText(changes.map((change) => ({ ...change, isUnasked: true })));
  }

  /**
   * Makes every site what its compiler made it.
   * @param restored called with the threads of the stopped process, when all text is that
   */
  restore(restored: (threads: readonly StoppedThread[]) => void): void {
    this.#lists.clear();
    const changes = [...this.#present.keys()].flatMap((n) => {
      const site = this.#needs.texts.function(n)?.one.site;
      return site === undefined ? [] : this.#change(n, site, site.compiled);
    });
    const { queue } = this.#needs;
    queue.addText(changes);
    queue.addWork((threads) => {
      if (queue.hasText) return false;
      restored(threads);
      return true;
    });
  }

  #prepare(functions: readonly number[]): void {
    const { texts, targets } = this.#needs;
    const tracer = this.#profile !== 0 ? 'function_graph' : this.#config?.tracer;
    if (tracer !== 'function' && tracer !== 'function_graph') return;
    const armed = functions.flatMap((n, i) => {
      if (i % TOLD === 0) this.#needs.work.reads(i, functions.length);
      const site = texts.function(n)?.one.site;
      return site === undefined ? [] : [{ n, site }];
    });
    try {
      targets.prepare(armed, tracer);
    } catch (error) {
      // A process that has ended needs no code any more.
      if (asTraceError(error).errno !== 'ESRCH') throw error;
    }
  }

  #flags(n: number): number {
    const { graphFunctions, graphNotrace } = this.#config ?? {};
    return (inBits(graphFunctions, n) ? FUNCTION_FLAG.GRAPH : 0) | (inBits(graphNotrace, n) ? FUNCTION_FLAG.NOTRACE : 0);
  }

  #arm(n: number, list: number): readonly TextChange[] {
    const { texts, news, replacements } = this.#needs;
    const found = texts.function(n);
    const site = found?.one.site;
    if (found === undefined || site === undefined) {
      if (found?.one.reason !== undefined) news.unreached(n, found.one.reason);
      return [];
    }
    try {
      const replaced = this.#ops.get(list)?.includes(OPS_ID.IPMODIFY) ? replacements.of(n) : undefined;
      const bytes = this.#bytes(n, found, replaced?.site ?? site, list, replaced?.target);
      if (list === NO_OPS) this.#lists.delete(n);
      else this.#lists.set(n, list);
      return this.#change(n, site, bytes);
    } catch (error) {
      news.unreached(n, (error as Error).message);
      return [];
    }
  }

  #change(n: number, { address, compiled, nop }: NativeSite, bytes: Uint8Array): readonly TextChange[] {
    const present = this.#present.get(n) ?? compiled;
    if (sameBytes(present, bytes)) return [];
    this.#present.set(n, bytes);
    const refused = (why: string): void => {
      // What is there is not known: it is not touched again.
      this.#present.set(n, present);
      if (this.#isClosed) this.#left.add(n);
      this.#needs.news.unreached(n, why);
    };
    // A signal may have interrupted a thread between the NOPs that a compiler left.
    const isMoved = sameBytes(present, compiled) && !sameBytes(compiled, nop);
    return [{ address, bytes, from: [present], refused, ...(isMoved && { isMoved }) }];
  }

  /** @param otherwise where the site goes if nothing wants the function's calls; absent: it is a NOP */
  #bytes(n: number, { one, object }: FunctionOfText, site: NativeSite, list: number, otherwise?: SiteTarget): Uint8Array {
    const ops = this.#ops.get(list) ?? [];
    const operations = ops.flatMap((id) => this.#operationsOf(n, id, site));
    const probed = ops.includes(OPS_ID.KPROBE) ? (this.#probed.get(n) ?? {}) : {};
    const set = ops.includes(OPS_ID.TRACER) ? this.#config?.tracer : undefined;
    const isKept = one.kind === KIND.keepsReturn || isUnwinder(object.text.module);
    const isProfiled = ops.includes(OPS_ID.PROFILER);
    const { stacks, args, noRepeats } = this.#config ?? {};
    const isPlain = stacks !== true && args !== true && noRepeats !== true;
    const isDirect = set === 'function' && operations.length === 1 && isPlain && !isProfiled;
    const isFollowed = (isProfiled || set === 'function_graph') && !isKept;
    const tracer = isDirect ? set : isFollowed ? 'function_graph' : undefined;
    this.#setOperations(n, isDirect ? [] : operations);
    const { targets } = this.#needs;
    const isProbed = probed.entry !== undefined || probed.exit !== undefined;
    const next = tracer !== undefined || isProbed ? targets.of(n, site, tracer, probed) : undefined;
    const target = (isDirect || operations.length === 0 ? next : targets.withOperations(n, site, next)) ?? otherwise;
    return target === undefined ? site.nop : site.armed(target.address, target.use);
  }

  /** What a function's site does for an ops: function_graph comes after all of these. */
  #operationsOf(n: number, id: number, { hasArguments }: NativeSite): readonly RoutineOperation[] {
    const { commands, instances } = this.#needs;
    if (id === OPS_ID.STACK) return [{ name: 'depth', a: 0 }];
    if (id === OPS_ID.PROBE) return commands.of(n, instances);
    const { instance, config } = id === OPS_ID.TRACER ? { instance: 0, config: this.#config } : (this.#tracers.get(id) ?? {});
    if (instance === undefined || config?.tracer !== 'function' || !instances.has(instance)) return [];
    const { STACK, ARGUMENTS, NO_REPEATS, REPEATS_SHIFT } = FUNCTION_OPERATION;
    const bits =
      (config.stacks ? STACK : 0) | (config.args && hasArguments ? ARGUMENTS : 0) | (config.noRepeats ? NO_REPEATS : 0);
    const c = bits | (instances.repeats(instance) << REPEATS_SHIFT);
    return [{ name: 'function', a: instances.inUse(instance), b: config.ignoredBit, c }];
  }

  #setOperations(n: number, operations: readonly RoutineOperation[]): void {
    const list = this.#needs.operations.list(operations);
    if (list === (this.#operations.get(n) ?? 0)) return;
    this.#operations.set(n, list);
    this.#needs.arena.setOperations(n, list);
  }
}

/** Whether sites that call the function tracer do something else. */
const differs = (a: TracerConfig, b: TracerConfig): boolean =>
  a.stacks !== b.stacks || a.ignoredBit !== b.ignoredBit || a.args !== b.args || a.noRepeats !== b.noRepeats;

/** The depth without max_graph_depth. */
const DEEPEST = 0x7fffffff;
