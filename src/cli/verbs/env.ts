import { parseOptions, splitCommand } from '../arguments.js';
import { complain, print } from '../output.js';
import { preloadOptions } from '../record/preload.js';
import { exitCodeOf, runCommand } from '../record/run-command.js';
import type { Verb } from '../verb.js';

const OPTIONS = {} as const;

/** A word as a POSIX shell and fish read it. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

export const env: Verb = {
  name: 'env',
  isPortable: true,
  synopsis: '[[--] COMMAND...]',
  summary: 'run a command whose Node programs load fentry, or print the setting for a shell',
  options: OPTIONS,
  help: `The Node processes that COMMAND starts, in any folder, can be traced while they run. Nothing is traced at first.
Without COMMAND it prints a line that sets this up for every program that the shell starts from then on.

Examples: fentry env npm run dev
          eval "$(npx fentry env)"; node server.js
`,
  async run(args) {
    const { own, command } = splitCommand(args, OPTIONS);
    parseOptions(own, OPTIONS);
    const options = preloadOptions(process.env['NODE_OPTIONS']);
    if (command.length === 0) {
      print(`export NODE_OPTIONS=${quoted(options)}\n`);
      return 0;
    }
    return exitCodeOf(await runCommand(command, { ...process.env, NODE_OPTIONS: options }, complain));
  },
};
