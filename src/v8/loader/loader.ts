import { syncBuiltinESMExports } from 'node:module';
import type { CacheFolder } from '../../base/cache/cache-folder.js';
import { filePath } from '../../base/file-path.js';
import type { Realm } from '../realm/realm.js';
import { type Undo, undoAll } from '../realm/undo.js';
import { hookAsyncFunctions } from './async-functions.js';
import { hookCommonJs } from './commonjs.js';
import { writeCoverage } from './coverage.js';
import { hookEsModules, loadsFromHooksThread, registerHooks } from './es-modules.js';
import { hookEsModulesOfNode20, isModuleFile } from './es-modules-node20.js';
import { afterRegistrations } from './hook-order.js';
import { followHooksThread, type HooksThread } from './hooks-thread.js';
import { followInspector } from './inspector-coverage.js';
import type { LinkEvent } from './link-event.js';
import { LinkTable } from './link-table.js';
import { Linker, type ReadText } from './linker.js';
import { MENTION } from './mentions.js';
import { MicrotaskQueues } from './microtask-queues.js';
import { type ModuleCompilations, ModuleReads } from './module-reads.js';
import { type CompiledText, ModuleScripts } from './module-scripts.js';
import { selectPackages, selectStatements } from './package-name.js';
import type { PreparedPack } from './prepared-pack.js';
import { ProgramPack } from './program-pack.js';
import { followRunnerCoverage } from './runner-coverage.js';
import { SharedTexts } from './shared-texts.js';
import { TextCache } from './text-cache.js';
import { hookVmFunctions } from './vm-functions.js';
import { hookVmModules } from './vm-modules.js';
import { hookVmScripts } from './vm-scripts.js';

/** What the loader of a thread is created with. */
export interface LoaderOptions {
  readonly realm: Realm;
  /** The thread's id at the operating system. */
  readonly tid: number;
  /** LinkTable.create()'s memory, the same in every thread of the process. */
  readonly links: SharedArrayBuffer;
  /** URL of the folder of fentry's own files, with a slash at its end. */
  readonly fentryFolder: string;
  /** Value of `instrument=`: names of the packages whose texts get sites, `app` the application's own; undefined for all. */
  readonly packages: string | undefined;
  /** Value of `statement_sites=`: names of the packages whose texts also get sites at statements; undefined for none. */
  readonly statementSites: string | undefined;
  /** The option `module_sites`: the code of modules outside of functions gets sites, too. */
  readonly hasModuleSites: boolean;
  /** The transform cache; undefined for none. */
  readonly cacheFolder: CacheFolder | undefined;
  /** What `fentry prepare` has made of the program's texts. */
  readonly prepared: readonly PreparedPack[];
  /** The texts that the program loads at its start are kept together, with V8's code cache of them. */
  readonly hasPack: boolean;
  /** The program has run nothing yet, and its texts say beforehand what it does (node-start.ts). */
  readonly isFresh: boolean;
  /** Called before a text runs that may use Node's workers, if the program is fresh. */
  readonly useWorkers: () => void;
  /** Called before a text runs, if the program is fresh. */
  readonly textSeen: () => void;
  /** Called when the program's main file has run, if that is CommonJS. */
  readonly mainLoaded: () => void;
  /** What is called only with `hasModuleSites`. */
  readonly compilations: ModuleCompilations;
  /** Called once for each text in each thread, before the text runs: cells, if it has sites, are defined and idle. */
  readonly onLink: (link: LinkEvent, hasSites: boolean) => void;
}

/** fentry's part in a thread's module loading. */
export interface Loader {
  /** Call this when the thread's program has ended, after the last of its `exit` listeners. */
  readonly programEnded: () => void;
  /** Whether the program's texts came from its pack, as at each start but the first ones. */
  readonly isWarm: () => boolean;
  /** Stores a part of what the next start needs, while the program runs. Returns whether there is more to do. */
  readonly storeSome: (isOver: () => boolean) => boolean;
  /** From now on, loaded texts get no sites. */
  readonly undo: Undo;
}

/** Puts fentry into this thread's module loading. From here on, what is loaded has sites. */
export const installLoader = (options: LoaderOptions): Loader => {
  const { cacheFolder: folder } = options;
  const { prepared, hasPack } = options;
  const ready = prepared[0];
  const cache = folder || ready ? new TextCache(folder, prepared) : undefined;
  const words = [options.packages, options.statementSites, options.hasModuleSites ? 'modules' : undefined, ready?.id];
  const pack = folder && cache && hasPack ? new ProgramPack(folder, cache, words.join(' ').trimEnd()) : undefined;
  const linker = new Linker({
    ...options,
    selects: selectPackages(options.packages),
    selectsStatements: selectStatements(options.statementSites),
    cache,
    prepared: ready,
    wantsCode: hasPack,
    ...(pack && { pack: () => pack.pack, onRead: (text) => pack.seen(text) }),
    links: new LinkTable(options.links),
    onLink: (link, detail) => options.onLink(link, detail !== undefined),
  });
  const workersUsed =
    ({ useWorkers }: LoaderOptions) =>
    (): Undo => {
      useWorkers();
      return () => {};
    };
  const ownPath = filePath(options.fentryFolder);
  const compiled = (text: ReadText, made: CompiledText, isCodeUsed: boolean): void => {
    if (!isCodeUsed && text.packed?.code !== undefined) ready?.refuseCode();
    pack?.compiled(text, made, isCodeUsed);
  };
  const keepsCode = pack !== undefined;
  const scripts =
    hasPack && (keepsCode || ready !== undefined) ? new ModuleScripts(ownPath, options.realm, keepsCode, compiled) : undefined;
  const reads = options.hasModuleSites ? new ModuleReads(options.compilations) : undefined;
  const undo = undoAll([
    () => linker.end(),
    hookCommonJs(linker, scripts, options.mainLoaded, reads),
    hookCompiling(linker, options),
    // Code from a cache has no counters for parts of functions.
    followInspector(linker, options, () => scripts?.stop()),
    followRunnerCoverage(options.realm.texts),
    ...hookModules(linker, options, reads),
    options.isFresh ? whenMentioned(linker, MENTION.threads, workersUsed(options)) : () => {},
    options.isFresh ? linker.beforeText(options.textSeen) : () => {},
  ]);
  const coverage = process.env['NODE_V8_COVERAGE'];
  if (coverage) options.realm.texts.keepEvery();
  return {
    programEnded: () => {
      if (coverage) writeCoverage(coverage, options.realm.texts);
      try {
        pack?.store();
      } catch {
        // The program may have broken what this needs; its next start is slower.
      }
    },
    isWarm: () => pack?.isWarm === true,
    storeSome: (isOver) => pack?.storeSome(isOver) === true,
    undo,
  };
};

/**
 * The package that runs modules as async functions made from text. In a program that has not loaded it, the constructor stays
 * V8's own: a replacement would appear in the first line of V8's description of where such a function was made.
 */
const MAKES_ASYNC_FUNCTIONS = 'vite';

/** Puts fentry into what the program compiles by itself. */
const hookCompiling = (linker: Linker, { realm, isFresh }: LoaderOptions): Undo => {
  const texts = new SharedTexts(linker, realm);
  const queues = new MicrotaskQueues();
  let stopMaking: Undo = () => {};
  linker.onPackage(MAKES_ASYNC_FUNCTIONS, () => {
    stopMaking = hookAsyncFunctions(texts);
  });
  const undo = undoAll([
    queues.hookCreateContext(),
    hookVmScripts(texts, queues),
    hookVmFunctions(texts, queues),
    hookVmModules(texts, queues),
    () => stopMaking(),
  ]);
  // Else no ES module can have asked for Node's modules yet.
  if (!isFresh) syncBuiltinESMExports();
  return () => {
    undo();
    syncBuiltinESMExports();
  };
};

/** Hooks into what takes long to load before the first text runs that mentions it. */
const whenMentioned = (linker: Linker, mention: number, hook: () => Undo): Undo => {
  let undo = linker.beforeText((mentions) => {
    if ((mentions & mention) === 0) return;
    undo();
    undo = hook();
  });
  return () => undo();
};

const hookModules = (linker: Linker, options: LoaderOptions, reads: ModuleReads | undefined): readonly Undo[] => {
  const { tid, links, fentryFolder, packages, statementSites, hasModuleSites, isFresh } = options;
  const cacheFolder = options.cacheFolder?.path;
  const preparedFolders = options.prepared.map(({ path }) => path);
  const data = { tid, links, fentryFolder, packages, statementSites, hasModuleSites, cacheFolder, preparedFolders };
  const when = (mention: number, isSeen: boolean, hook: () => Undo): Undo =>
    isFresh && isSeen ? whenMentioned(linker, mention, hook) : hook();
  if (registerHooks === undefined) {
    const isSeen = !isModuleFile(process.argv[1]);
    return [
      when(MENTION.imports, isSeen, () => hookEsModulesOfNode20(linker)),
      when(MENTION.registers, isSeen, () => followHooksThread(linker, data).undo),
    ];
  }
  const hooks = hookEsModules(linker, registerHooks, reads);
  let thread: HooksThread | undefined;
  const undos = [
    hooks.undo,
    afterRegistrations(['registerHooks'], () => {
      thread?.stop();
      hooks.again();
    }),
  ];
  if (!loadsFromHooksThread) return undos;
  const follow = (): Undo => {
    thread = followHooksThread(linker, data, hooks.undo);
    return thread.undo;
  };
  return [...undos, when(MENTION.registers, true, follow)];
};
