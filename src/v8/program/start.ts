import { pathToFileURL } from 'node:url';
import { getEnvironmentData, setEnvironmentData, threadId as workerId } from 'node:worker_threads';
import { CacheFolder } from '../../base/cache/cache-folder.js';
import { cacheFolder, preparedFolders } from '../../base/cache/cache-path.js';
import { folderUrl } from '../../base/file-path.js';
import { DateNow, MathRandom } from '../../base/primordials.js';
import { say } from '../../base/say.js';
import { isHooksThread, isMain, threadId } from '../../base/thread-id.js';
import { realpathSync } from '../../base/untraced-fs.js';
import { MAX_WRITERS } from '../../port/limits.js';
import { folderOf, hearsSignals } from '../../port/parameters.js';
import { traceClock } from '../../ring-buffer/clock.js';
import { createInstanceSwitch } from '../../ring-buffer/instance-switch.js';
import { followedAges } from '../async/context-ages.js';
import { Tracepoints } from '../events/tracepoints.js';
import { foreignCallers } from '../loader/foreign-callers.js';
import type { LinkEvent } from '../loader/link-event.js';
import { LinkTable } from '../loader/link-table.js';
import { installLoader } from '../loader/loader.js';
import type { PreparedPack } from '../loader/prepared-pack.js';
import type { ForeignCallers } from '../realm/find-caller.js';
import { installRealm } from '../realm/realm.js';
import type { Undo } from '../realm/undo.js';
import { createControlBlock, takeCpu, WORD } from '../shared/control-block.js';
import { type ProcessShare, SHARE_KEY } from '../shared/protocol.js';
import { TextLog } from '../shared/text-log.js';
import { agentOf, forgetAgent, leftOf, setAgent, setLeft } from './agent-property.js';
import type { AttachedCells } from './attached-cells.js';
import { ControlStarter } from './control-starter.js';
import { ANY_RUN, LastRuns } from './last-runs.js';
import type { Launch, Left } from './launch.js';
import { loadPrepared } from './load-prepared.js';
import { loadTracing } from './load-tracing.js';
import { isFreshMain, mayPack } from './node-start.js';
import { beforeAbort, oops } from './oops.js';
import { followProgram, tried } from './program-events.js';
import { ProgramInterface } from './program-interface.js';
import { ProgramThread } from './program-thread.js';
import { followTerminate } from './worker-end.js';

/** URL of the folder of fentry's own files. */
const OWN_FOLDER = folderUrl(import.meta.url);

/**
 * Starts the agent in this thread, as the environment asks for it; nothing when it runs already, or on another system than Linux.
 */
export function startAgent(): ProgramInterface {
  const known = agentOf(process);
  if (known !== undefined) return known.program;
  if (process.platform !== 'linux') {
    if (isMain()) say(`nothing is traced: fentry works on Linux, and this is ${process.platform}`);
    return new ProgramInterface(undefined, process.pid, loadTracing);
  }
  if (isHooksThread() || isFentryCommand(process.argv[1])) return new ProgramInterface(undefined, process.pid, loadTracing);
  try {
    return launchAgent(launchOf(process.env));
  } catch (error) {
    // Whatever prevents it (a permission model, a frozen global object, files of two builds): the program comes first.
    if (process.env['FENTRY']) say(`nothing is traced: ${(error as Error)?.message}`);
    return new ProgramInterface(undefined, process.pid, loadTracing);
  }
}

/** The `fentry` command itself is not traced, even if NODE_OPTIONS loads fentry into it: no verb finds it. */
function isFentryCommand(file = ''): boolean {
  if (!file.endsWith('fentry') && !file.endsWith('cli.js')) return false;
  try {
    return pathToFileURL(realpathSync(file)).href === `${OWN_FOLDER}cli.js`;
  } catch {
    return false;
  }
}

function launchOf({ FENTRY = '' }: NodeJS.ProcessEnv): Launch {
  const share = isMain() ? undefined : (getEnvironmentData(SHARE_KEY) as ProcessShare | undefined);
  if (FENTRY === '') return { parameters: {}, share, isAsked: false };
  const { parameters, errors } = loadTracing().parseParameters(FENTRY);
  if (share === undefined) for (const { parameter, message } of errors) say(`FENTRY: ${parameter}: ${message}`);
  return { parameters, share, isAsked: true };
}

/** Starts an agent in this thread, which has none. Throws if that is not possible. */
export function launchAgent(launch: Launch): ProgramInterface {
  const { parameters, isAsked, socketPath, attached } = launch;
  const left = leftOf(process);
  const isAttached = attached !== undefined;
  const preparedPaths = preparedFolders(process.env);
  const prepared = preparedPaths.length === 0 ? [] : loadPrepared().preparedPacks(preparedPaths);
  if (isAsked && isMain()) for (const word of loadTracing().preparedWords(preparedPaths, prepared)) say(word);
  const share = launch.share ?? createShare(left, prepared[0]);
  const tid = threadId();
  const cpu = takeCpu(new Int32Array(share.block), tid, share.parent, isMain() ? 0 : workerId);
  const block = new Int32Array(share.block);
  let forgetTerminate: Undo = () => {};
  const useWorkers = once(() => {
    setEnvironmentData(SHARE_KEY, { ...share, parent: tid } as never);
    if (cpu !== undefined) forgetTerminate = followTerminate(block);
  });
  // Only a main thread that has just begun can tell by its texts when it needs workers.
  const isFresh = launch.share === undefined && !isAttached && isFreshMain(OWN_FOLDER);
  if (!isFresh) useWorkers();
  if (cpu === undefined) return new ProgramInterface(undefined, tid, loadTracing);
  let foreignFound: ForeignCallers | undefined;
  const foreign = (): ForeignCallers =>
    (foreignFound ??= foreignCallers(new LinkTable(share.links), (link) => thread.announce(link)));
  const path = cacheFolder(process.env);
  const folder = path === undefined ? undefined : new CacheFolder(path);
  const log = launch.share === undefined ? TextLog.create() : undefined;
  let listening: ProgramThread | undefined;
  const control =
    log !== undefined
      ? new ControlStarter(
          {
            share,
            parameters,
            texts: log,
            isAsked,
            isAttached,
            fentryFolder: OWN_FOLDER,
            cacheFolder: path,
            preparedFolders: preparedPaths,
          },
          OWN_FOLDER,
          {
            starting() {
              useWorkers();
              listening?.open();
            },
            lost: () => thread.lost(),
          },
          isAsked || isAttached ? undefined : prepared.length > 0 || folder === undefined ? ANY_RUN : new LastRuns(folder),
          isFresh,
          socketPath,
        )
      : undefined;
  const realm = left?.realm ?? installRealm(globalThis, OWN_FOLDER);
  const attachedCells: AttachedCells | undefined = attached?.(realm, () => thread, foreign);
  const tracepoints = new Tracepoints(
    (event) => thread.declared(event),
    (tracepoint) => thread.tell({ type: 'tracepoint declared', tracepoint }),
  );
  const thread: ProgramThread = new ProgramThread({
    share,
    cpu,
    tid,
    needControl(mayWait) {
      if (mayWait) control?.beginForText();
      else control?.begin();
    },
    texts: realm.texts,
    cells: realm.cells,
    attachedCells,
    log,
    tracing: {
      runtime: () =>
        loadTracing().createThreadRuntime({
          fentryFolder: OWN_FOLDER,
          thread,
          program,
          tid,
          tracepoints,
          realm,
          attachedCells,
          breakpoints: thread.breakpoints,
          foreign,
        }),
      writers(counter, set) {
        const { ThreadWriters } = loadTracing();
        return new ThreadWriters(cpu, counter, set, (serial) => thread.tell({ type: 'cycles lost', serial }));
      },
      tasks(memory, switchTask) {
        const { AsyncTasks } = loadTracing();
        return new AsyncTasks(cpu, memory, switchTask);
      },
      sampler(writer) {
        const { GapSampler } = loadTracing();
        return new GapSampler(tid, writer);
      },
      breakpoints: () => loadTracing().threadBreakpoints(realm.texts, foreign, OWN_FOLDER),
      turnSampler() {
        const { TurnSampler } = loadTracing();
        return new TurnSampler(realm.texts);
      },
    },
  });
  listening = thread;
  if (control?.hasBegun !== false) thread.open();
  const program: ProgramInterface = new ProgramInterface(thread, tid, loadTracing);
  tracepoints.listen();
  const texts: LinkEvent[] = [];
  const loader = installLoader({
    realm,
    tid,
    links: share.links,
    fentryFolder: OWN_FOLDER,
    packages: parameters.instrument?.join(','),
    statementSites: parameters.statement_sites?.join(','),
    hasModuleSites: parameters.module_sites === true,
    cacheFolder: folder,
    prepared,
    hasPack: isMain() && !isAttached && mayPack(),
    isFresh,
    useWorkers,
    textSeen: () => control?.textSeen(),
    mainLoaded: () => control?.mainLoaded(),
    compilations: {
      compiles(firstFunction, begun) {
        const at = traceClock();
        thread.tell({ type: 'compiles', firstFunction, at, siteTime: at - begun });
      },
      compiled: (firstFunction, time) => thread.tell({ type: 'compiled', firstFunction, time }),
    },
    onLink: (link, hasSites) => {
      // Only a detached agent leaves them behind.
      if (isAttached) texts.push(link);
      if (hasSites) thread.link(link);
      else thread.announce(link);
    },
  });
  let atEnd = (): void => {};
  let storeCode: (() => void) | undefined;
  thread.storeSome = (isOver) => {
    const first = storeCode;
    storeCode = undefined;
    if (first !== undefined) tried(first);
    return first !== undefined || loader.storeSome(isOver);
  };
  const forgetEvents = followProgram({
    thread,
    program,
    realm,
    control,
    attachedCells,
    isAttached,
    recording: folderOf(parameters),
    isSignalHeard: hearsSignals(parameters),
    programEnded: loader.programEnded,
    agentEnded: () => atEnd(),
  });
  const origins = parameters.handles === true ? new (loadTracing().HandleOrigins)() : undefined;
  const detach = (): void => {
    loader.undo();
    forgetEvents();
    attachedCells?.end();
    forgetTerminate();
    // Texts with sites stay, and so does everything that hides the sites.
    if (realm.texts.size === 0) realm.undo();
    else setLeft(process, { links: share.links, realm, texts });
    setEnvironmentData(SHARE_KEY, undefined as never);
    tracepoints.end();
    program.end();
    origins?.end();
    forgetAgent(process);
    control?.detached();
  };
  const { ftrace_dump_on_oops: dumpOnOops } = parameters;
  if (control !== undefined && dumpOnOops !== undefined) {
    Atomics.store(thread.block, WORD.DUMP_ON_OOPS, dumpOnOops.isOrigCpu ? 2 : 1);
    beforeAbort(() => tried(() => oops(thread)));
  }
  thread.onDetach(detach);
  setAgent(process, {
    program,
    ...(origins && { origins }),
    agesOf: (promises) => followedAges.of(promises),
    interrupt: () => thread.interrupt(),
    sampleTurn: (look) => thread.sampleTurn(look),
    ...(control && {
      startControl: () => control.beginForClient(),
      atEnd: (code) => {
        storeCode = () => {
          code.store((name, parts) => folder?.write(name, parts), loader.isWarm());
        };
        atEnd = storeCode;
      },
    }),
  });
  for (const text of left?.texts ?? []) {
    texts.push(text);
    thread.announce(text);
  }
  if (attachedCells !== undefined) thread.tell({ type: 'scripts', scripts: attachedCells.scripts() });
  if (isAttached) control?.begin();
  else tried(() => thread.obeyAtStart());
  return program;
}

/** `run`, which runs at the first call only. */
function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    run();
  };
}

function createShare(left: Left | undefined, prepared: PreparedPack | undefined): ProcessShare {
  return {
    nonce: `${process.pid}-${DateNow()}-${MathRandom()}`,
    block: createControlBlock().buffer as SharedArrayBuffer,
    links: left?.links ?? LinkTable.create(prepared),
    topSwitch: createInstanceSwitch(MAX_WRITERS),
  };
}
