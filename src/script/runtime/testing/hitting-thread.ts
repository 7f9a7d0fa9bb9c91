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
}

const { code, memory, writer, hits, isEndless } = workerData as HittingThreadData;
const thread = createScriptThread(code, memory, testContext(writer), compileText);
const hit = thread.compileHandler<(at: number) => void>(0, ['1', '2'], ['at'], { saved: undefined });
for (let i = 0; i < hits; i++) hit(i);
parentPort!.postMessage('done');
while (isEndless);
