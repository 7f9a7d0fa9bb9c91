import { once } from 'node:events';
import { visible } from '../../base/visible.js';
import { parseOptions } from '../arguments.js';
import { openBrowser } from '../open/open-browser.js';
import { PAGE_ROUTES } from '../open/page-files.js';
import { PageServer } from '../open/page-server.js';
import { recordingRoutes } from '../open/recording-routes.js';
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
    const server = await PageServer.start([...PAGE_ROUTES, ...recordingRoutes(file)]);
    using _browser = values['no-browser'] ? undefined : await openBrowser(server.link);
    process.stdout.write(`${visible(file)} is shown at ${server.link}\n`);
    process.stderr.write('fentry: Ctrl-C ends it\n');
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    server.close();
    return 0;
  },
};
