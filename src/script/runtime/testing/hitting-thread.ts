/** A thread that hits a handler so many times; with `endless` until it is terminated. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ScriptCode } from '../../script-code.js';
import type { ScriptMemory } from '../script-memory.js';
import { createScriptThread } from '../script-thread.js';
import { compileText, testContext } from './script-run.js';

export interface HittingThreadData {
  readonly code: ScriptCode;
  readonly memory: ScriptMemory;
  readonly writer: number;
  readonly hits: number;
  readonly isEndless: boolean;
  /** What the handler fetches is one number after the other below this one; absent: 1. */
  readonly keys?: number;
}

const { code, memory, writer, hits, isEndless, keys = 1 } = workerData as HittingThreadData;
const thread = createScriptThread(code, memory, testContext(writer), compileText);
const hit = thread.compileHandler<(at: number) => void>(0, [`at % ${keys}`, '2'], ['at'], { saved: undefined });
hit(0);
if (keys > 1) parentPort!.postMessage('begun');
for (let i = 1; i < hits; i++) hit(i);
parentPort!.postMessage('done');
while (isEndless);
