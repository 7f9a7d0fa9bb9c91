import { existsSync, realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { TraceError } from '../../base/errno.js';
import { isObjectFile } from '../../base/is-object-file.js';
import type { LivepatchNews, LivepatchRequest } from '../../ftrace/tracers/diversions.js';
import type { TracedThread } from '../../port/port.js';
import { filterOf } from '../ftrace/process-subscribers.js';
import { CALLBACK, Livepatch, type LivepatchProcess, ownerName } from './livepatch.js';
import { checkOwners, resolveReplacements } from './livepatch-functions.js';
import { resolveVariables } from './livepatch-variables.js';

/** How long the program's threads may take to load a file, in milliseconds: it is loaded when their event loops turn. */
const LOAD_MILLISECONDS = 10_000;
const NAME = /^[\w.@-]{1,64}$/;

type LoadedFile = Pick<Extract<LivepatchNews, { news: 'loaded' }>, 'replacements' | 'variables'>;

/** A file that threads are loading. */
interface Loading {
  loaded(news: LoadedFile): void;
  failed(message: string): void;
}

/** The live patches of the process (Documentation/livepatch/livepatch.rst). */
export class Livepatches {
  readonly #process: LivepatchProcess;
  readonly #patches = new Map<number, Livepatch>();
  readonly #loading = new Map<number, Loading>();
  /** The paths of all files that were loaded. */
  readonly #files = new Set<string>();
  /** The names of patches that are being loaded, and the real paths of their files. */
  readonly #begun = new Set<string>();
  /** Live patches that the program has asked for. */
  readonly #requested = new RequestedLivepatches(this);
  #last = 0;

  constructor(process: LivepatchProcess) {
    this.#process = process;
  }

  /** In the order in which they were loaded. */
  get all(): readonly Livepatch[] {
    return [...this.#patches.values()];
  }

  /**
   * Loads the file of a patch into every thread, and enables the patch.
   * @param path absolute
   * @throws TraceError EEXIST if the name is in use, ENOENT without the file, EBUSY if a function has another owner, EINVAL for a
   *   file that cannot be loaded and for functions that cannot be replaced by it, ETIMEDOUT if the program does not run
   */
  async load(name: string, path: string): Promise<Livepatch> {
    const patch = await this.prepare(name, path);
    await patch.setEnabled(true);
    return patch;
  }

  /**
   * Loads a file as `load` does, but leaves the patch disabled: from then on calls of its functions are seen, for the transition
   * that comes.
   */
  async prepare(name: string, path: string): Promise<Livepatch> {
    this.#check(name, path);
    const file = realpathSync(path);
    this.#begun.add(name).add(file);
    this.#files.add(path).add(file);
    try {
      return await this.#prepared(name, path);
    } finally {
      this.#begun.delete(name);
      this.#begun.delete(file);
    }
  }

  /** The functions whose calls are followed, for the transitions of patches that come. */
  get followed(): readonly number[] {
    return this.#process.tracer.diversions.followed;
  }

  /**
   * Follows the calls of the functions that these words name, and of no others, also of functions that are loaded later.
   * @throws TraceError EINVAL for a word that matches nothing
   */
  async follow(words: readonly string[]): Promise<void> {
    const { tracer } = this.#process;
    tracer.diversions.follow(filterOf(tracer.names(), words));
    tracer.patch();
    await this.#process.obeyed();
  }

  #check(name: string, path: string): void {
    if (!NAME.test(name)) throw new TraceError('EINVAL', `${name}: a patch has a name of letters, digits, "_", "-", "." and "@"`);
    if (this.all.some((patch) => patch.name === name) || this.#begun.has(name))
      throw new TraceError('EEXIST', `there is a patch ${name}`);
    if (!path.startsWith('/')) throw new TraceError('EINVAL', `${path} is not an absolute path`);
    if (!existsSync(path)) throw new TraceError('ENOENT', `${path}: no such file`);
    if (this.#begun.has(realpathSync(path))) throw new TraceError('EBUSY', `${path} is being loaded`);
  }

  async #prepared(name: string, path: string): Promise<Livepatch> {
    const number = ++this.#last;
    const url = pathToFileURL(path).href;
    const load = { type: 'livepatch', patch: number, change: 'load', url } as const;
    const { tracer, table } = this.#process;
    try {
      const { replacements, variables } = await this.#loaded(number, path, () => {
        // A thread that starts while the others load the file loads it too: nothing else tells it of the patch.
        tracer.diversions.set(ownerName(name), CALLBACK, [], [load]);
        tracer.diversions.tell(load);
      });
      tracer.decode();
      const { machineCode } = this.#process.port;
      const isCode = machineCode !== undefined && (machineCode.isAll || isObjectFile(path));
      const isMeant = (n: number): boolean => (machineCode?.has(n) === true) === isCode;
      const functions = resolveReplacements(replacements, this.#files, tracer, table, isMeant);
      const modules = await resolveVariables(variables, functions, this.#process);
      // The functions of another patch that was loaded meanwhile have an owner.
      checkOwners(functions, tracer);
      const removed = (): void => void this.#patches.delete(number);
      const patch = new Livepatch(this.#process, number, name, load, functions, modules, removed);
      this.#patches.set(number, patch);
      await patch.prepare();
      return patch;
    } catch (error) {
      if (!this.#patches.has(number)) {
        tracer.diversions.delete(ownerName(name));
        tracer.diversions.tell({ type: 'livepatch', patch: number, change: 'remove' });
      }
      throw error;
    }
  }

  told({ cpu }: Pick<TracedThread, 'cpu'>, number: number, event: LivepatchNews): void {
    const patch = this.#patches.get(number);
    if (event.news === 'over') patch?.over(cpu, event.seq);
    else if (event.news === 'loaded') this.#loading.get(number)?.loaded(event);
    else if (event.news === 'unreached') {
      patch?.unreached(cpu, event.message);
      this.#process.warn(`cpu ${cpu}: ${event.message}`, patch?.name ?? '');
    } else if (this.#loading.has(number)) this.#loading.get(number)!.failed(event.message);
    else if (patch !== undefined)
      this.#process.warn(`cpu ${cpu} cannot load live patch ${patch.name}: ${event.message}`, patch.name);
  }

  addThread(thread: TracedThread): void {
    for (const patch of this.#patches.values()) patch.addThread(thread);
  }

  removeThread(thread: TracedThread): void {
    for (const patch of this.#patches.values()) patch.removeThread(thread.cpu);
    this.#requested.removeThread(thread);
  }

  /**
   * Does what a thread of the program asks for.
   * @throws TraceError as the patch's files would refuse it; EINVAL if it is gone
   */
  obey(thread: TracedThread, request: LivepatchRequest): Promise<void> {
    return this.#requested.obey(thread, request);
  }

  /** The program is left as it would be without patches. */
  clear(): void {
    this.#patches.clear();
  }

  /** What the first thread finds in the file. */
  async #loaded(number: number, path: string, begin: () => void): Promise<LoadedFile> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const late = (): void =>
          reject(
            new TraceError(
              'ETIMEDOUT',
              `no thread has loaded ${path}: the program's event loop does not turn, or the file awaits something for ever`,
            ),
          );
        timer = setTimeout(late, LOAD_MILLISECONDS);
        this.#loading.set(number, {
          loaded: resolve,
          failed: (message) => reject(new TraceError('EINVAL', `${path}: ${message}`)),
        });
        begin();
      });
    } finally {
      clearTimeout(timer);
      this.#loading.delete(number);
    }
  }
}

/** The live patches that threads of the program have asked for: each thread hears of the state of its own. */
class RequestedLivepatches {
  readonly #livepatches: Pick<Livepatches, 'load' | 'prepare'>;
  readonly #requested = new Map<TracedThread, Map<number, Livepatch>>();

  constructor(livepatches: Pick<Livepatches, 'load' | 'prepare'>) {
    this.#livepatches = livepatches;
  }

  /** @throws TraceError as the patch's files would refuse it; EINVAL if it is gone */
  async obey(thread: TracedThread, request: LivepatchRequest): Promise<void> {
    if (request.action === 'load' || request.action === 'prepare') await this.#load(thread, request);
    else {
      const patch = this.#requested.get(thread)?.get(request.id);
      if (patch === undefined) throw new TraceError('EINVAL', 'this live patch is gone');
      await (request.action === 'force' ? patch.force() : patch.setEnabled(request.action === 'enable'));
    }
  }

  /** The thread has ended; its patches stay. */
  removeThread(thread: TracedThread): void {
    for (const patch of this.#requested.get(thread)?.values() ?? []) patch.onChanged = () => {};
    this.#requested.delete(thread);
  }

  async #load(thread: TracedThread, { id, action, name, path }: Extract<LivepatchRequest, { path: string }>): Promise<void> {
    const patch = await (action === 'load' ? this.#livepatches.load(name, path) : this.#livepatches.prepare(name, path));
    const own = this.#requested.get(thread) ?? new Map<number, Livepatch>();
    this.#requested.set(thread, own.set(id, patch));
    patch.onChanged = () => {
      const { state } = patch;
      if (state.isGone) own.delete(id);
      thread.post({ type: 'livepatch state', id, state });
    };
    patch.onChanged();
  }
}
