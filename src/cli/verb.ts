import type { OptionSpecs } from './option-specs.js';

/** One word after `fentry`. */
export interface Verb {
  readonly name: string;
  /** What follows the name, for the usage line. */
  readonly synopsis: string;
  /** One line for `fentry --help`. */
  readonly summary: string;
  /** The verb's options by their long names. */
  readonly options: OptionSpecs;
  /** Text behind the options in `fentry VERB --help`: options and examples. */
  readonly help: string;
  /** Whether the verb works on every system: it needs no traced process. */
  readonly isPortable?: true;
  /** Does it. Resolves to the exit code; a rejection is printed and makes it 1, a UsageError 2. */
  run(args: readonly string[]): Promise<number>;
}

/** The command line is wrong; the message says what, and what would be right. */
export class UsageError extends Error {}
