import type { TraceableProcess } from '../../client/processes.js';
import { TraceClient } from '../../client/trace-client.js';
import { type RecordingLimits, RecordingSpace } from '../../recording/recording-space.js';
import { startTracing, withBreakpointWarnings } from '../set-up.js';
import type { TracerOptionValues } from '../tracer-options.js';
import { whileWorking } from '../while-working.js';
import { BufferHold } from './buffer-hold.js';
import { conversionInto } from './conversion-into.js';
import { finishRecording } from './finish-recording.js';
import { LiveRecording } from './live-recording.js';
import { partsFolder, removeParts, toRestore } from './parts-folder.js';
import { liveText, ProgressLine } from './progress-line.js';
import type { Progress } from './recording-folder.js';
import { RECORD_BUFFER_KB } from './start-parameters.js';

/** Times of several processes can be put into one order where they come from one clock. */
const COMMON_CLOCK = 'mono';

/** How running processes are recorded. */
export interface RunningOptions {
  readonly tracing: TracerOptionValues;
  readonly limits: RecordingLimits;
  readonly output: string;
  /** Nothing else writes to the terminal, so a line may show the progress. */
  readonly isShown: boolean;
  readonly complain: (message: string) => void;
  /** The recording lasts as long as the processes: nothing is reset. */
  readonly untilTheirEnd?: true;
}

/**
 * Records running processes into one recording, and resets them afterwards.
 * @param enough is called once they are traced; the recording ends when what it returns settles, or when the last process ends
 * @returns how much was recorded
 * Rejects with a TraceError when tracing cannot be started in one of them; then none is traced.
 */
export async function recordProcesses(
  processes: readonly TraceableProcess[],
  { tracing, limits, output, isShown, complain, untilTheirEnd }: RunningOptions,
  enough: () => Promise<unknown>,
): Promise<Progress> {
  const folder = partsFolder(output);
  const space = new RecordingSpace(folder, limits);
  const holds: BufferHold[] = [];
  const recordings: LiveRecording[] = [];
  const line = isShown ? new ProgressLine() : undefined;
  const settings = { buffer: String(RECORD_BUFFER_KB), ...(processes.length > 1 && { clock: COMMON_CLOCK }), ...tracing };
  let isNeeded = false;
  try {
    const measured = await conversionInto(folder, tracing.clock);
    try {
      for (const { pid, socketPath } of processes) {
        const client = new TraceClient(pid, socketPath);
        holds.push(await BufferHold.take(client));
        const what = `setting up tracing in process ${pid}`;
        await whileWorking(socketPath, what, () => withBreakpointWarnings(client, () => startTracing(client, settings)));
        recordings.push(new LiveRecording(client, folder, space, recordings.length));
      }
      isNeeded = true;
      const ending = enough();
      await Promise.all(recordings.map((recording) => recording.run(ending, () => line?.show(liveText(recordings)))));
    } finally {
      line?.clear();
      // Also on a full disk: otherwise the processes would go on tracing with no reader.
      for (const [i, hold] of holds.entries()) {
        if (untilTheirEnd || recordings[i]?.hasEnded) continue;
        await whileWorking(processes[i]!.socketPath, `resetting process ${processes[i]!.pid}`, () => hold.release());
      }
    }
    for (const [i, { pid, program }] of processes.entries()) {
      if (!recordings[i]!.hasEnded) continue;
      complain(`${processes.length > 1 ? `${pid} (${program.name}): ` : ''}the process has ended`);
    }
    measured?.();
    const progress = finishRecording(folder, output, limits, complain, true);
    isNeeded = false;
    return progress;
  } finally {
    if (isNeeded) complain(toRestore(folder));
    else removeParts(folder);
  }
}
