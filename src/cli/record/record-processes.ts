import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TEXT_HIGH } from '../../arch/arch.js';
import type { TraceableProcess } from '../../client/processes.js';
import { TraceClient } from '../../client/trace-client.js';
import { parseComms } from '../comm-lines.js';
import { startTracing, withBreakpointWarnings } from '../set-up.js';
import type { TracerOptions } from '../tracer-options.js';
import { composeLive, liveTables } from './live-buffers.js';
import { partsFolder } from './parts-folder.js';
import { nameComms, processName } from './process-names.js';
import { byteText } from './progress-line.js';
import { rebaseFile, rebaseSymbols } from './rebase-file.js';
import { bufferKb, LiveRecording, leave } from './record-process.js';
import { RECORD_BUFFER_KB } from './start-parameters.js';

/** Times of several processes can be put into one order where they come from one clock. */
const COMMON_CLOCK = 'mono';

interface Recorded {
  readonly process: TraceableProcess;
  readonly client: TraceClient;
  readonly bufferSize: string;
  readonly recording: LiveRecording;
}

/**
 * Records several running processes into one recording, and leaves them as fresh ones.
 * @param enough is called once they are traced; the recording ends when what it returns settles, or when the last process ends
 * Rejects with a TraceError when tracing cannot be started in one of them; then none is traced.
 */
export async function recordProcesses(
  processes: readonly TraceableProcess[],
  options: TracerOptions,
  output: string,
  enough: () => Promise<unknown>,
  complain: (message: string) => void,
): Promise<void> {
  const folder = partsFolder(output);
  const recorded: Recorded[] = [];
  let isNeeded = false;
  try {
    try {
      for (const process of processes) recorded.push(await begin(process, options, join(folder, String(process.pid))));
      isNeeded = true;
      const ending = enough();
      await Promise.all(recorded.map(({ recording }, i) => recording.run(ending, i === 0)));
    } finally {
      for (const { recording, client, bufferSize } of recorded) if (!recording.hasEnded) await leave(client, bufferSize);
    }
    const bytes = compose(output, recorded);
    isNeeded = false;
    for (const { process, recording } of recorded) {
      const end = recording.hasEnded ? 'the process has ended; ' : '';
      complain(`${process.pid} (${process.program.name}): ${end}${recording.lost} events lost`);
    }
    complain(`${output} has ${byteText(bytes)}`);
  } finally {
    if (isNeeded) complain(`what was recorded is in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

async function begin(process: TraceableProcess, options: TracerOptions, folder: string): Promise<Recorded> {
  mkdirSync(folder);
  const client = new TraceClient(process.pid, process.socketPath);
  const bufferSize = bufferKb(await client.read('buffer_size_kb'));
  const settings = { buffer: String(RECORD_BUFFER_KB), clock: COMMON_CLOCK, ...options };
  await withBreakpointWarnings(client, () => startTracing(client, settings));
  return { process, client, bufferSize, recording: new LiveRecording(client, folder, await liveTables(client, client)) };
}

/** One trace.dat of all: each process's CPUs, symbols at addresses of its own, and tasks that bear its name. */
function compose(output: string, recorded: readonly Recorded[]): number {
  const parts = recorded.map(({ process, recording }, slot) => {
    const high = TEXT_HIGH - slot;
    for (const { files } of recording.cpus) for (const file of files) rebaseFile(file, high);
    const comms = nameComms(parseComms(recording.tables.comms), process.pid, processName(process.program));
    return { cpus: recording.cpus, symbols: rebaseSymbols(recording.tables.kallsyms, high), comms };
  });
  return composeLive(
    output,
    {
      kallsyms: parts.map(({ symbols }) => symbols).join(''),
      comms: parts.flatMap(({ comms }) => comms.map(([pid, comm]) => `${pid} ${comm}\n`)).join(''),
      traceClock: recorded[0]!.recording.tables.traceClock,
    },
    parts.flatMap(({ cpus }) => cpus),
  );
}
