import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { socketDirectory, socketPath } from '../../base/socket-directory.js';
import { TraceClient } from '../../client/trace-client.js';
import { askForLastPages } from '../../recording/last-pages.js';
import { slotName, slotsIn } from '../../recording/part-files.js';
import { complain } from '../output.js';
import { preloadOptions } from '../record/preload.js';
import { type Ending, runCommand } from '../record/run-command.js';
import { startParameters } from '../record/start-parameters.js';
import type { TracerOptionValues } from '../tracer-options.js';
import { type LinesWanted, ProcessLines } from './process-lines.js';

/** Milliseconds between two looks for new processes. */
const LOOK = 250;

/** Runs a command whose processes record into a folder, and follows what else is wanted of them. */
export async function runCollected(
  command: readonly string[],
  { tracing, folder, bytes, lines }: { tracing: TracerOptionValues; folder: string; bytes: number; lines: LinesWanted },
): Promise<Ending> {
  // The recording outlives this process: what comes after it is read by the next one.
  const parameters = `${startParameters(tracing, folder, process.env['FENTRY'])} record_size=${bytes}`;
  const env = { ...process.env, NODE_OPTIONS: preloadOptions(process.env['NODE_OPTIONS']), FENTRY: parameters };
  const end = new AbortController();
  const followed = followAll(folder, lines, end.signal);
  const beforeSignal = (pid: number, signal: NodeJS.Signals): void => askForLastPages(folder, pid, signal);
  try {
    return await runCommand(command, env, complain, { beforeSignal });
  } finally {
    end.abort();
    await followed;
  }
}

/** Follows lines of each process that records into the folder. */
export async function followAll(folder: string, lines: LinesWanted, end: AbortSignal): Promise<void> {
  if (lines.slow === undefined && lines.histograms === undefined) return;
  const known = new Set<number>();
  const sockets = socketDirectory(process.env, process.geteuid?.() ?? 0);
  while (!end.aborted) {
    for (const slot of slotsIn(readdirSync(folder))) {
      const pid = Number(readFileSync(join(folder, slotName(slot)), 'utf8'));
      const path = socketPath(sockets, pid);
      if (known.has(slot) || !existsSync(path)) continue;
      known.add(slot);
      void new ProcessLines(new TraceClient(pid, path), folder, end).follow(lines);
    }
    await sleep(LOOK, undefined, { signal: end }).catch(() => {});
  }
}
