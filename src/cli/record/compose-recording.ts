import { closeSync, openSync, readSync } from 'node:fs';
import { type CpuData, writeTraceDat } from '../../output/trace-dat/index.js';
import { DEFAULT_SUBBUF_BYTES, TRACE_CLOCKS } from '../../ring-buffer/index.js';
import { nameComms } from './process-names.js';
import { recordedProcesses } from './recording-folder.js';

const CHUNK_BYTES = 1 << 20;

/** Makes a trace.dat of what the processes left in the folder of a recording. Returns its bytes. */
export function composeRecording(folder: string, output: string, version: string): number {
  const processes = recordedProcesses(folder);
  const cpus: CpuData[] = processes.flatMap((process) =>
    process.cpus.map(({ file, stats }) => ({ files: [file], ...(stats !== undefined && { stats }) })),
  );
  const symbolFiles = processes.flatMap(({ symbols }) => symbols ?? []);
  const clock = processes.find((process) => process.clock !== undefined)?.clock ?? 'mono';
  const written = writeTraceDat(output, {
    subbufBytes: DEFAULT_SUBBUF_BYTES,
    buffers: [{ name: '', clock, cpus }],
    kallsyms: chunksOf(symbolFiles),
    // Of one process its task's name tells enough.
    cmdlines: processes.flatMap(({ pid, name, comms }) => (processes.length > 1 && name ? nameComms(comms, pid, name) : comms)),
    traceClock: `${TRACE_CLOCKS.map((name) => (name === clock ? `[${name}]` : name)).join(' ')}\n`,
    version,
  });
  return written.bytes;
}

/** The bytes of files, one file after the other. */
function* chunksOf(files: readonly string[]): Generator<Uint8Array> {
  for (const file of files) {
    const fd = openSync(file, 'r');
    try {
      for (;;) {
        const chunk = new Uint8Array(CHUNK_BYTES);
        const length = readSync(fd, chunk);
        if (length === 0) break;
        yield chunk.subarray(0, length);
      }
    } finally {
      closeSync(fd);
    }
  }
}
