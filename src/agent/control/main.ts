/** The control thread: owns the tree of control files, and answers even while the program's threads are busy. */
import { workerData } from 'node:worker_threads';
import type { CreatePort } from '../../arch/port.js';
import { createControlState } from '../../arch/v8/control/control-state.js';
import { CONTROL } from '../../arch/v8/control/late-workers.js';
import { V8Port } from '../../arch/v8/control/v8-port.js';
import type { V8ControlData } from '../../arch/v8/shared/v8-control-data.js';
import { say } from '../say.js';
import { threadId } from '../thread-id.js';
import { ControlThread } from './control-thread.js';

const data = workerData as V8ControlData;
Object.defineProperty(process, CONTROL, { value: true });

// A bug in here must not harm the program: the thread lives on, and stderr says so if FENTRY is set.
process.on('uncaughtException', (error) => {
  if (data.isAsked) say(`internal error: ${error.stack ?? error}`);
});

const { share, texts, isAttached, ownFolder, cacheFolder } = data;
const tid = threadId();
const early = isAttached ? { early: { ownFolder, cacheFolder } } : {};
const createPort: CreatePort = (listener) => new V8Port({ share, texts, tid, ...early }, listener);
void new ControlThread(data, createControlState(new Int32Array(share.block), tid), createPort).run();
