const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\0': '' };

/** A text as a literal of the language. */
export const quoted = (text: string): string => `"${text.replace(/["\\\n\0]/g, (character) => ESCAPES[character]!)}"`;

/** So many arguments have a variable of their own, those that are not given, too. */
const NAMED = 32;

/**
 * The tapset with a script's arguments (tapset::argv in SystemTap): `argc`, `argv[1]` up to `argv[argc]`, and `argv_1` to
 * `argv_32`.
 */
export function argumentsTapset(args: readonly string[]): string {
  const texts = args.map(quoted);
  const named = Array.from({ length: NAMED }, (_, index) => `global argv_${index + 1} = ${texts[index] ?? '""'}\n`);
  const assigned = texts.map((text, index) => `argv[${index + 1}] = ${text}\n`);
  // Without an argument its type is known nevertheless.
  const typed = 'argv[0] = "" delete argv[0]';
  return `global argc = ${args.length}\nglobal argv\n${named.join('')}probe begin(-9223372036854775807) {\n${assigned.join('')}${typed} }\n`;
}
