import { visibleLine } from '../base/visible.js';

/** A variable as text: see bt/bt-answer.ts. */
interface Variable {
  readonly name: string;
  readonly value: string;
}

/** How many characters of a variable are shown where a line is too long. */
const CUTS = [120, 80, 60, 40, 30, 20] as const;

/** The values of a call, cut so that they take no more characters, if that leaves something of each: `(id: 7, rows: [])`. */
export function variablesText(values: readonly Variable[], width: number): string {
  let list = '';
  for (const most of [Number.POSITIVE_INFINITY, ...CUTS]) {
    list = `(${values.map((one) => cutText(variableText(one), most)).join(', ')})`;
    if (list.length <= width) break;
  }
  return list;
}

/** `name: value` */
export const variableText = ({ name, value }: Variable): string => `${visibleLine(name)}: ${visibleLine(value)}`;

const cutText = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
