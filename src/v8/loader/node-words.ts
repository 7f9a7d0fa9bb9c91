/** The words that Node was started with: its own of the command line, and those of NODE_OPTIONS. */
export const nodeWords = ({ execArgv, env }: Pick<NodeJS.Process, 'execArgv' | 'env'> = process): readonly string[] => {
  const options = env['NODE_OPTIONS'] ?? '';
  // At each start, V8 would compile the regular expression.
  return options === '' ? execArgv : [...execArgv, ...options.split(/\s+/)];
};

/**
 * The name of an option, without its dashes and up to the first character that is no letter, digit or underscore; '' for none.
 */
export const optionName = (word: string): string => {
  if (word[0] !== '-') return '';
  const start = word[1] === '-' ? 2 : 1;
  let end = start;
  while (end < word.length && isWordCharacter(word.charCodeAt(end))) end++;
  return word.slice(start, end);
};

const isWordCharacter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
