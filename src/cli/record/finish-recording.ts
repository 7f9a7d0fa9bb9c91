import { grouped } from '../../base/grouped.js';
import type { RecordingLimits } from '../../recording/recording-space.js';
import { type Composed, composeRecording, countEvents } from './compose-recording.js';
import { byteText, progressText } from './progress-line.js';
import { dropReasons, type ProcessParts, type Progress, recordedProcesses, recordingProgress } from './recording-folder.js';

/** Threads wrote faster than the control thread could save. */
const LOST = 'events are lost where a thread’s buffer is full: -b KB makes it larger; --own, -l and --min-duration record less';

/**
 * Makes the recording from the folder, and prints what it has. Returns how much was recorded.
 * @param withManagers npm, npx and the like stay in it too, though another process has recorded something
 */
export function finishRecording(
  folder: string,
  output: string,
  limits: RecordingLimits,
  complain: (message: string) => void,
  withManagers = false,
): Progress {
  const isWhole = dropReasons(folder).length === 0;
  const all = recordedProcesses(folder).map((one) => (one.isCut && isWhole ? { ...one, events: eventsIn(one) } : one));
  const started = all.filter(({ isManager }) => !isManager);
  const processes = withManagers || !started.some(({ events }) => events > 0) ? all : started;
  const progress = recordingProgress(processes);
  const composed = composeRecording(folder, processes, output);
  complain(`${progressText(progress)} recorded; ${output} has ${byteText(composed.bytes)}`);
  if (processes.length > 1) complain(processesText(processes));
  if (processes.length < all.length) {
    const left = all.filter(({ isManager }) => isManager).map(({ pid, name }) => `${pid} (${name})`);
    complain(`not in it: ${left.join(', ')}, which started the application; --managers records them too`);
  }
  const words = keptText(composed, progress, limits);
  if (words !== undefined) complain(words);
  if (progress.lost > 0) complain(LOST);
  return progress;
}

/** A process that was killed has written some that it has not counted. */
const eventsIn = ({ cpus }: ProcessParts): number => countEvents(cpus.flatMap(({ files }) => files));

/** What is not in the recording, and why; undefined if everything is there. */
export function keptText({ kept }: Composed, { events }: Progress, { bytes, cpuBytes }: RecordingLimits): string | undefined {
  if (kept === undefined) return undefined;
  const size = [
    ...(bytes === undefined ? [] : [`--max-size ${byteText(bytes)}`]),
    ...(cpuBytes === undefined ? [] : [`-m ${cpuBytes / 1024}`]),
  ].join(' ');
  const why = kept.reasons.map((reason) => (reason === 'disk' ? 'the disk was nearly full' : size || 'its limit was reached'));
  const older = Math.max(0, events - kept.events);
  return `the newest ${grouped(kept.events)} events are kept, ${grouped(older)} older ones are not: ${why.join('; ')}`;
}

/** How many processes are named, those with the most events first. */
const NAMED = 8;

/**
 * `of 3 processes: 4711 (server.ts) 12,345 events, 12 lost; 4702 (tsx) 678 events, 0 lost; 4690 (npm run dev) 90 events, 0 lost`
 */
function processesText(processes: readonly ProcessParts[]): string {
  const sorted = [...processes].sort((a, b) => b.events - a.events);
  const named = sorted
    .slice(0, NAMED)
    .map(({ pid, name = 'node', events, lost }) => `${pid} (${name}) ${grouped(events)} events, ${grouped(lost)} lost`);
  return `of ${processes.length} processes: ${named.join('; ')}${sorted.length > NAMED ? '; ...' : ''}`;
}
