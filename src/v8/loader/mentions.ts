import { includes } from '../realm/primordials.js';

/** Bits: what a text may ask of Node, for which fentry must be ready before the text runs. */
export const MENTION = {
  /** The inspector. */
  inspector: 1,
  /** Workers. */
  threads: 2,
  /** ES modules: the word `import`. */
  imports: 4,
  /** Hooks of module loading: the word `register`. */
  registers: 8,
} as const;

const NAMES_INSPECTOR = /["'`](?:node:)?inspector(?:\/promises)?["'`]/;
/** Not as in a comment of TypeScript's types. */
const IMPORT = /(?<!\{)\bimport\b/;

/** What the words of a source say, without its syntax. */
export const mentionsOf = (source: string): number => {
  let mentions = 0;
  if (includes(source, 'inspector') && NAMES_INSPECTOR.test(source)) mentions |= MENTION.inspector;
  // A program that loads all of Node's modules gets this one too.
  const isAll = includes(source, 'builtinModules');
  if (isAll || includes(source, 'worker_threads')) mentions |= MENTION.threads;
  if (isAll || includes(source, 'register')) mentions |= MENTION.registers;
  if (includes(source, 'import') && IMPORT.test(source)) mentions |= MENTION.imports;
  return mentions;
};

/** What a parsed source mentions. `mayImport` counts code that it makes of strings. */
export const mentionsOfParsed = (
  source: string,
  { mayImport, hasImport }: Record<'mayImport' | 'hasImport', boolean>,
): number => {
  const mentions = mentionsOf(source);
  return hasImport ? mentions | MENTION.imports : mayImport ? mentions : mentions & ~MENTION.imports;
};
