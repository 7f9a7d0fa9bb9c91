import { fileURLToPath } from 'node:url';

/** The endings of recorded scripts, by their language (record-scripts.mjs). */
export const ENDINGS = { stap: '.stp', bpftrace: '.bt' } as const;
export type Language = keyof typeof ENDINGS;

/** The path of a folder of recorded scripts, with `/` at its end. */
export const scriptFolder = (name: string): string => fileURLToPath(new URL(`../../../test/parity/${name}/`, import.meta.url));

/** The words of a line `# WORD: ...` of a script. */
function wordsOf(text: string, word: string): readonly string[] {
  const [, line] = new RegExp(`^(?:#|//) ${word}: (.*)$`, 'm').exec(text) ?? [];
  return line === undefined ? [] : [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** The options and arguments with which a script was recorded. */
export const recordedWords = (text: string): readonly string[] => [...wordsOf(text, 'options'), ...wordsOf(text, 'arguments')];
