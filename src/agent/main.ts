/** The control thread: owns the tree of control files, and answers even while the program's threads are busy. */
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import { asTraceError, TraceError } from '../base/errno.js';
import { say } from '../base/say.js';
import { threadId } from '../base/thread-id.js';
import { ControlThread } from '../control/tree/control-thread.js';
import { loadLocalPort } from '../native/control/load-local-port.js';
import { JoinedPort, type NativeSide } from '../port/joined-port.js';
import type { Parameters } from '../port/parameters.js';
import type { CreatePort, PortListener } from '../port/port.js';
import { CONTROL } from '../v8/control/attach-workers.js';
import { createControlState, V8Port } from '../v8/control/v8-port.js';
import { LinkTable } from '../v8/loader/link-table.js';
import { takeCpu } from '../v8/shared/control-block.js';
import type { V8ControlData } from '../v8/shared/v8-control-data.js';

const data = workerData as V8ControlData;
Object.defineProperty(process, CONTROL, { value: true });

/**
 * The error of a program without WebAssembly, as with `--jitless`: Node 22 says so when it loads what makes events of messages,
 * and goes on.
 */
const NO_WEBASSEMBLY = 'WebAssembly is not defined';

// A bug in here must not harm the program: the thread lives on, and stderr says so if FENTRY is set.
process.on('uncaughtException', (error) => {
  if (data.isAsked && error?.message !== NO_WEBASSEMBLY) say(`internal error: ${error.stack ?? error}`);
});

const { share, texts, isAttached, fentryFolder, cacheFolder, preparedFolders } = data;
const tid = threadId();
const attached = isAttached ? { loadedBefore: { fentryFolder, cacheFolder, preparedFolders } } : {};
const createScript: CreatePort = (listener) => new V8Port({ share, texts, tid, ...attached }, listener);

/** A port, and what was asked for and cannot be done. */
interface ChosenPort {
  readonly create: CreatePort;
  readonly refused: readonly string[];
}

/** The port to JavaScript, and with FENTRY=native one to the process's machine code beside it. */
function portOf({ native }: Parameters): ChosenPort {
  if (native !== true) return { create: createScript, refused: [] };
  try {
    if (data.mayNotStart)
      throw new TraceError('EPERM', 'text cannot be changed: the permission model asks for --allow-child-process');
    const createNative = nativeSide();
    return { create: (listener) => new JoinedPort(createScript, createNative, listener), refused: [] };
  } catch (error) {
    const { errno, message } = asTraceError(error);
    return { create: createScript, refused: [`native: ${errno}: ${message}`] };
  }
}

function nativeSide(): (listener: PortListener) => NativeSide {
  const { LocalPort, localTarget } = loadLocalPort();
  const links = new LinkTable(share.links);
  const block = new Int32Array(share.block);
  const target = localTarget({
    stopper: fileURLToPath(new URL('native-stop.cjs', import.meta.url)),
    stacks: fileURLToPath(new URL('native-stacks.cjs', import.meta.url)),
    topSwitch: share.topSwitch,
    cacheFolder,
    claimFunctions: (count) => links.claimNumbers(count),
    claimCpu: () => takeCpu(block, 0),
  });
  return (listener) => new LocalPort(target, listener);
}

const state = createControlState(new Int32Array(share.block), tid);
const { create, refused } = portOf(data.parameters);
void new ControlThread(data, state, create, refused).run();
