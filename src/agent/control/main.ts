/** The control thread: owns the tree of control files, and answers whatever the program's threads are doing. */
import { workerData } from 'node:worker_threads';
import type { ControlData } from '../control-data.js';
import { say } from '../say.js';
import { threadId } from '../thread-id.js';
import { ControlThread } from './control-thread.js';
import { CONTROL } from './threads/late-workers.js';

const data = workerData as ControlData;
Object.defineProperty(process, CONTROL, { value: true });

// A mistake in here is not the program's: the thread lives on, and whoever asked for fentry is told.
process.on('uncaughtException', (error) => {
  if (data.isAsked) say(`internal error: ${error.stack ?? error}`);
});
void new ControlThread(data, threadId()).run();
