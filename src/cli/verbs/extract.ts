import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TraceClient } from '../../client/trace-client.js';
import { type CpuData, writeTraceDat } from '../../output/trace-dat/index.js';
import { DEFAULT_SUBBUF_BYTES } from '../../ring-buffer/index.js';
import { INSTANCE_OPTION, PID_OPTION, parseOptionsOnly } from '../arguments.js';
import { parseComms } from '../comm-lines.js';
import { partsFolder } from '../record/parts-folder.js';
import { byteText } from '../record/progress-line.js';
import { writeFile } from '../set-up.js';
import { INSTANCE_HELP, targetOf } from '../target.js';
import type { Verb } from '../verb.js';
import { VERSION } from '../version.js';

const OPTIONS = { ...PID_OPTION, ...INSTANCE_OPTION, output: { type: 'string', short: 'o' } } as const;

/** The clock in brackets in trace_clock. */
const clockOf = (text: string): string => /\[(\S+)\]/.exec(text)?.[1] ?? 'local';

/** Takes each cpu's sub-buffers out into files. */
async function takeOut(client: TraceClient, folder: string): Promise<readonly CpuData[]> {
  const cpus: CpuData[] = [];
  for (const { name } of await client.list('per_cpu')) {
    const stats = await client.read(`per_cpu/${name}/stats`);
    const file = join(folder, name);
    await pipeline(await client.openNow(`per_cpu/${name}/trace_pipe_raw`), createWriteStream(file));
    cpus.push({ files: [file], stats });
  }
  return cpus;
}

export const extract: Verb = {
  name: 'extract',
  synopsis: '[--pid PID] [-B NAME] [-o FILE]',
  summary: 'take what was recorded in a running process into a file',
  help: `  -o FILE   the recording (trace.dat)
${INSTANCE_HELP}
Tracing is stopped. What is taken out is no longer in the buffers.
`,
  async run(args) {
    const values = parseOptionsOnly(args, OPTIONS);
    const client = await targetOf(values);
    const top = await targetOf({ pid: String(client.pid) });
    const output = values.output ?? 'trace.dat';
    const folder = partsFolder(output);
    let isTaken = false;
    try {
      await writeFile(client, 'tracing_on', '0');
      const traceClock = await client.read('trace_clock');
      const [kallsyms, comms] = [await top.read('kallsyms'), await top.read('saved_cmdlines')];
      isTaken = true;
      const { bytes } = writeTraceDat(output, {
        subbufBytes: DEFAULT_SUBBUF_BYTES,
        buffers: [{ name: '', clock: clockOf(traceClock), cpus: await takeOut(client, folder) }],
        kallsyms: [kallsyms],
        cmdlines: parseComms(comms),
        traceClock,
        version: VERSION,
      });
      isTaken = false;
      process.stderr.write(`fentry: ${output} has ${byteText(bytes)}\n`);
      return 0;
    } finally {
      if (isTaken) process.stderr.write(`fentry: what was taken out is in ${folder}\n`);
      else rmSync(folder, { recursive: true, force: true });
    }
  },
};
