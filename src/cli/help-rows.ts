/** An option, or several, in a help text: what stands on the left, and what it does. */
export interface HelpRow {
  readonly head: string;
  readonly text: string;
}

/** A help text taken apart: rows of options, and the paragraphs between them. */
export type HelpPart = HelpRow | string;

const ROW = /^ {2}(-.*?)(?: {2,}(.*))?$/;
const CONTINUED = /^ {4,}(\S.*)$/;

/** Takes the help of a verb apart, as its lines are indented. */
export function helpParts(help: string): readonly HelpPart[] {
  const parts: HelpPart[] = [];
  let row: { head: string; text: string } | undefined;
  for (const line of help.split('\n')) {
    const [, head, text = ''] = ROW.exec(line) ?? [];
    const more = CONTINUED.exec(line)?.[1];
    if (head !== undefined) {
      row = { head, text };
      parts.push(row);
    } else if (row !== undefined && more !== undefined) row.text += `${row.text === '' ? '' : ' '}${more}`;
    else {
      row = undefined;
      if (line !== '') parts.push(line);
    }
  }
  return parts;
}

/** What a help text says of an option; undefined where it says nothing. */
export function helpOf(help: string, name: string, short: string | undefined): string | undefined {
  const signs = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
  const rows = helpParts(help).filter((part) => typeof part !== 'string');
  return rows.find(({ head }) => head.split(/[ ,=]+/).some((word) => signs.includes(word)))?.text;
}
