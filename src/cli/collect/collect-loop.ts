import { setTimeout as sleep } from 'node:timers/promises';
import type { Collector } from '../../collect/collector.js';
import { complain } from '../output.js';

/** Milliseconds before a sink that has refused a batch is asked again: doubled each time. */
const FIRST_RETRY = 500;
const LONGEST_RETRY = 30_000;
/** How long the sink may refuse what is left when all else has ended. */
const PATIENCE = 3_000;
/** A batch with so many bytes is followed by the next one at once. */
const MUCH = 1 << 20;

/** How a collector works. */
export interface LoopOptions {
  /** Milliseconds between batches while there is little. */
  readonly interval: number;
  /** The part of one core that it uses at most, from 0 to 1. */
  readonly maxCpu: number;
  /** Aborts when nothing more will be recorded. */
  readonly end: AbortSignal;
  /** What rows are stored in, in words. */
  readonly target: string;
  /** Milliseconds of refusals after the end. */
  readonly patience?: number;
}

/** Microseconds of CPU that this process has used. */
function cpuUsed(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Waits, but not beyond the end. */
async function pause(ms: number, end: AbortSignal): Promise<void> {
  if (ms <= 0 || end.aborted) return;
  await sleep(ms, undefined, { signal: end }).catch(() => {});
}

/** Aborts some milliseconds after the end, if it is not cleared. */
function limited(end: AbortSignal, ms: number, aborted: AbortController): { clear(): void } {
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    timer = setTimeout(() => aborted.abort(), ms);
  };
  if (end.aborted) start();
  else end.addEventListener('abort', start, { once: true });
  return {
    clear() {
      end.removeEventListener('abort', start);
      clearTimeout(timer);
    },
  };
}

/**
 * Stores batches of all collectors until nothing more comes. A sink that refuses is asked again and again; what it says is
 * printed once.
 * @returns false if the sink has not taken everything
 */
export async function collectLoop(collectors: readonly Collector[], options: LoopOptions): Promise<boolean> {
  const { interval, maxCpu, end, target, patience = PATIENCE } = options;
  let retry = FIRST_RETRY;
  let refused = '';
  // Starts again with each batch that the sink takes.
  let givesUp: AbortSignal | undefined;
  /** What waited at the end: processes that go on write more meanwhile. */
  let left: number | undefined;
  for (;;) {
    const wasOver = end.aborted;
    if (wasOver) left ??= collectors.reduce((sum, { waiting }) => sum + waiting, 0);
    const patient = new AbortController();
    const limit = limited(end, patience, patient);
    const [before, began] = [cpuUsed(), performance.now()];
    let bytes = 0;
    let isRefused = false;
    for (const collector of collectors) {
      try {
        bytes += await collector.step(patient.signal);
      } catch (error) {
        isRefused = true;
        const message = (error as Error).message;
        if (message !== refused) complain(`${target} does not take rows, which wait meanwhile: ${message}`);
        refused = message;
      }
    }
    limit.clear();
    if (isRefused) {
      if (patient.signal.aborted) return false;
      if (wasOver) givesUp ??= AbortSignal.timeout(patience);
      if (givesUp?.aborted) return false;
      await (wasOver ? sleep(Math.min(retry, 1000)) : pause(retry, end));
      retry = Math.min(2 * retry, LONGEST_RETRY);
      continue;
    }
    if (refused !== '') complain(`${target} takes rows again`);
    [retry, refused, givesUp] = [FIRST_RETRY, '', undefined];
    if (left !== undefined) {
      left -= bytes;
      if (bytes === 0 || (left <= 0 && collectors.every(({ hasEnded }) => hasEnded))) return true;
    }
    // What it has used is this part of the time from the beginning of this batch to that of the next one.
    const rest = ((cpuUsed() - before) / maxCpu) * 1e-3 - (performance.now() - began);
    await pause(bytes >= MUCH ? rest : Math.max(rest, interval), end);
  }
}
