import { WITH_VALUE } from './program.js';

/** Node's options that load a file before the program: the file is the next word, or in the same one. */
const NEXT = /^(?:-r|--require|--import)$/;
const SAME = /^(?:--require|--import)=(.*)$/s;
/** A package named fentry, or its files. */
const PACKAGE = /^fentry$|\/fentry\/dist\/(?:preload\.cjs|index\.js)$/;
/** The command of that package, which is not traced. */
const COMMAND = /(?:^|\/)fentry$|\/fentry\/dist\/cli\.js$/;

/** Paths of files of one fentry. */
export interface OwnFiles {
  /** What loads it into a program. */
  readonly preloads: readonly string[];
  readonly command: string;
}

/** The words of NODE_OPTIONS: blanks part them, unless they stand in double quotes, where a backslash keeps what follows. */
export const optionWords = (options: string): readonly string[] =>
  (options.match(/(?:[^\s"]|"(?:\\.|[^"\\])*")+/gs) ?? []).map((word) =>
    word.replace(/"((?:\\.|[^"\\])*)"/gs, (_, quoted: string) => quoted.replace(/\\(.)/gs, '$1')),
  );

/**
 * Whether Node loads fentry before a program, which is not fentry's own command.
 * @param args its command line
 * @param options its NODE_OPTIONS
 */
export function loadsFentry(args: readonly string[], options: string, own: OwnFiles): boolean {
  const end = args.findIndex((word, i) => i > 0 && !word.startsWith('-') && !WITH_VALUE.test(args[i - 1] as string));
  const program = args[end] ?? '';
  if (COMMAND.test(program) || program === own.command) return false;
  const words = [...optionWords(options), ...args.slice(1, end < 0 ? undefined : end)];
  return words.some((word, i) => {
    const file = NEXT.test(word) ? words[i + 1] : SAME.exec(word)?.[1];
    const path = file?.replace(/^file:\/\//, '');
    return path !== undefined && (PACKAGE.test(path) || own.preloads.includes(path));
  });
}
