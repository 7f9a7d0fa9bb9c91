import type { SemanticError, SemanticFault } from './semantic-error.js';

/** The text of a file by its name; undefined: it is not known any more. */
export type TextOfFile = (file: string) => string | undefined;

/** The lines that show where a fault is: as SystemTap prints them. */
function sourceLines({ place }: SemanticFault, textOf: TextOfFile, label: string): string {
  if (place === undefined) return '';
  const line = textOf(place.file)?.split('\n')[place.line - 1];
  if (line === undefined) return '';
  // The caret stands below its column wherever tabs lead.
  const before = line.slice(0, place.column - 1).replace(/[^\t]/g, ' ');
  return `${label}${line}\n${' '.repeat(label.length)}${before}^\n`;
}

/** Where a fault is; the file only where it is another one than that of the fault before. */
const placeText = ({ token, place }: SemanticFault, before: string | undefined): string =>
  place === undefined ? '' : `${token} at ${place.file === before ? '' : place.file}:${place.line}:${place.column}`;

/** A refusal of the second pass as SystemTap prints it to stderr. */
export function semanticErrorText({ faults }: SemanticError, textOf: TextOfFile): string {
  let text = '';
  let file: string | undefined;
  for (const [i, one] of faults.entries()) {
    const where = placeText(one, file);
    // A fault without words is a further token of the one before.
    const head = one.message === '' ? '' : `semantic error: ${one.message}${where === '' ? '' : ': '}`;
    text += `${i > 0 && head !== '' ? '\n' : ''}${head}${where}\n${sourceLines(one, textOf, '        source: ')}`;
    file = one.place?.file ?? file;
  }
  return `${text}\nPass 2: analysis failed.  [man error::pass2]\n`;
}

/** Warnings as SystemTap prints them to stderr; the file only where it is another one than that of the warning before. */
export function warningsText(warnings: readonly SemanticFault[], textOf: TextOfFile): string {
  let file: string | undefined;
  return warnings
    .map((warning) => {
      const where = placeText(warning, file);
      file = warning.place?.file ?? file;
      return `WARNING: ${warning.message}: ${where}\n${sourceLines(warning, textOf, ' source: ')}`;
    })
    .join('');
}
