import { parseOptions } from '../arguments.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = { input: { type: 'string', short: 'i' }, 'no-browser': { type: 'boolean' } } as const;

export const open: Verb = {
  name: 'open',
  isPortable: true,
  synopsis: '[--no-browser] [FILE | BEFORE AFTER]',
  summary: 'show a recording in the browser: timeline, flame graph, functions, sources, requests; of two, what changed',
  options: OPTIONS,
  help: `Serves a page on this machine only, for who has the link, until Ctrl-C. Nothing leaves the machine, unless you ask the page to
open the recording in ui.perfetto.dev.

Of two recordings it shows what \`fentry diff\` says, the two histograms of each function, both times beside the lines of the sources, and
a flame graph of both, coloured by change.

  -i FILE       the recording (trace.dat)
  --no-browser  only print the link

Example: fentry record -p function_graph -o app.dat -- node app.js; fentry open app.dat
         fentry open before.dat after.dat
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [first = 'trace.dat', second, ...more] = values.input === undefined ? words : [values.input, ...words];
    if (more.length > 0) throw new UsageError('name one recording, or two to compare: fentry open before.dat after.dat');
    const [file, before] = second === undefined ? [first] : [second, first];
    const { openRecording } = await import('../open/open-recording.js');
    await openRecording(file!, before, values['no-browser'] !== true);
    return 0;
  },
};
