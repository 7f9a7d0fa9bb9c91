import { parseOptions } from '../arguments.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = { input: { type: 'string', short: 'i' }, 'no-browser': { type: 'boolean' } } as const;

export const open: Verb = {
  name: 'open',
  isPortable: true,
  synopsis: '[--no-browser] [FILE]',
  summary: 'show a recording in the browser: timeline, flame graph, functions, sources, requests',
  options: OPTIONS,
  help: `Serves a page on this machine only, for who has the link, until Ctrl-C. Nothing leaves the machine, unless you ask the page to
open the recording in ui.perfetto.dev.

  -i FILE       the recording (trace.dat)
  --no-browser  only print the link

Example: fentry record -p function_graph -o app.dat -- node app.js; fentry open app.dat
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [file = 'trace.dat', ...more] = values.input === undefined ? words : [values.input, ...words];
    if (more.length > 0) throw new UsageError(`one recording at a time: ${[file, ...more].join(', ')}`);
    const { openRecording } = await import('../open/open-recording.js');
    await openRecording(file, values['no-browser'] !== true);
    return 0;
  },
};
