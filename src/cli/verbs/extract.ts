import { rmSync } from 'node:fs';
import { INSTANCE_OPTION, PID_OPTION, parseOptionsOnly } from '../arguments.js';
import { composeLive, liveTables, onlyProcess, takeOut } from '../record/live-buffers.js';
import { partsFolder } from '../record/parts-folder.js';
import { byteText } from '../record/progress-line.js';
import { INSTANCE_HELP, targetOf } from '../target.js';
import type { Verb } from '../verb.js';
import { writeFile } from '../write-file.js';

const OPTIONS = { ...PID_OPTION, ...INSTANCE_OPTION, output: { type: 'string', short: 'o' } } as const;

export const extract: Verb = {
  name: 'extract',
  synopsis: '[--pid PID] [-B NAME] [-o FILE]',
  summary: 'save the buffers of a running process as a recording',
  options: OPTIONS,
  help: `  -o FILE   the recording (trace.dat)
${INSTANCE_HELP}
This stops tracing. The saved events are no longer in the buffers.
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
      const tables = await liveTables(client, top);
      isTaken = true;
      const cpus = await takeOut(client, folder);
      const bytes = composeLive(output, tables, cpus, onlyProcess(tables, cpus.length));
      isTaken = false;
      process.stderr.write(`fentry: ${output} has ${byteText(bytes)}\n`);
      return 0;
    } finally {
      if (isTaken) process.stderr.write(`fentry: the saved events are in ${folder}\n`);
      else rmSync(folder, { recursive: true, force: true });
    }
  },
};
