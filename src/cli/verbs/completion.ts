import { basename } from 'node:path';
import { wakeSilentProcesses } from '../../client/silent-processes.js';
import { parseOptions } from '../arguments.js';
import { candidates } from '../completion/candidates.js';
import { COMPLETION_SCRIPTS, SHELLS } from '../completion/scripts.js';
import { VALUE_SOURCE } from '../completion/value-source.js';
import { print } from '../output.js';
import { UsageError, type Verb } from '../verb.js';

// The line up to the cursor, with which the scripts ask for the possible words.
const OPTIONS = { words: { type: 'string' } } as const;

/** The words from the command's name to the cursor; the last one is still being typed. */
export function commandWords(line: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  let isOpen = false;
  for (let i = 0; i < line.length; i++) {
    const sign = line[i]!;
    if (quote === '' && /\s/.test(sign)) {
      if (isOpen) words.push(word);
      word = '';
      isOpen = false;
    } else {
      isOpen = true;
      if (sign === quote) quote = '';
      else if (quote === '' && (sign === '"' || sign === "'")) quote = sign;
      else if (sign === '\\' && quote !== "'" && i + 1 < line.length) word += line[++i]!;
      else word += sign;
    }
  }
  return [...words, word];
}

/** @param verbs all verbs, including this one */
export const completionVerb = (verbs: () => readonly Verb[]): Verb => ({
  name: 'completion',
  isPortable: true,
  synopsis: 'bash | zsh | fish',
  summary: 'print a script for the shell that completes verbs, options, tracers, processes and functions',
  options: OPTIONS,
  help: `If fentry is on the PATH, as after npm install -g fentry:

  bash    echo 'eval "$(fentry completion bash)"' >> ~/.bashrc
  zsh     echo 'eval "$(fentry completion zsh)"' >> ~/.zshrc, after compinit
  fish    fentry completion fish > ~/.config/fish/completions/fentry.fish

Names of functions and control files come from the running process.
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    if (values.words !== undefined) {
      // A key that is pressed sends no signal to a program.
      wakeSilentProcesses(undefined);
      const found = await candidates(commandWords(values.words).slice(1), verbs(), VALUE_SOURCE);
      print(found.map(({ word, about }) => `${word}\t${about}\n`).join(''));
      return 0;
    }
    const [word = basename(process.env['SHELL'] ?? ''), ...more] = words;
    const shell = SHELLS.find((one) => one === word);
    if (shell === undefined || more.length > 0) throw new UsageError(`name one shell: ${SHELLS.join(', ')}`);
    print(COMPLETION_SCRIPTS[shell]);
    return 0;
  },
});
