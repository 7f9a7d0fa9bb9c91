import { compileGlob } from '../base/glob.js';

/** A package's functions, as set_ftrace_filter names them. */
const OF_PACKAGE = ':mod:';

/** Whether a line of available_filter_functions is what a pattern of set_ftrace_filter selects. */
export function functionLineTest(pattern: string): (line: string) => boolean {
  const [names = '', packages] = pattern.split(OF_PACKAGE);
  const isName = compileGlob(names === '' && packages !== undefined ? '*' : names).test;
  const isPackage = packages === undefined ? () => true : compileGlob(packages).test;
  return (line) => isName(line.split(/[ \t]/)[0]!) && isPackage(/\[(.*)\]$/.exec(line)?.[1] ?? '');
}

/** The lines of available_filter_functions that a pattern selects; undefined: all. */
export const functionLines = (text: string, pattern: string | undefined): readonly string[] =>
  text.split('\n').filter((line) => line !== '' && (pattern === undefined || functionLineTest(pattern)(line)));
