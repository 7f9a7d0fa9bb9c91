import { PID_OPTION, parseOptionsOnly } from '../arguments.js';
import type { Verb } from '../verb.js';

const OPTIONS = { ...PID_OPTION, 'read-only': { type: 'boolean' }, 'no-browser': { type: 'boolean' } } as const;

export const ui: Verb = {
  name: 'ui',
  synopsis: '[--pid PID|NAME] [--read-only] [--no-browser]',
  summary: 'show running processes in the browser: what they do now, slow turns, functions, probes, trace, histograms',
  options: OPTIONS,
  help: `Serves a page on this machine only, for who has the link, until Ctrl-C. It does what the files of the process can.
Closing the page ends what it watches; what it has switched on stays on, and one button puts that back.

  --pid PID|NAME  the process that is shown first; NAME is its program, as fentry ps lists it
  --read-only     the page changes nothing in any process
  --no-browser    only print the link

Example: fentry env node server.js & fentry ui
`,
  async run(args) {
    const { pid, ...values } = parseOptionsOnly(args, OPTIONS);
    const { serveUi } = await import('../ui/serve-ui.js');
    const flags = { isReadOnly: values['read-only'] === true, withBrowser: values['no-browser'] !== true };
    await serveUi({ process: pid, ...flags });
    return 0;
  },
};
