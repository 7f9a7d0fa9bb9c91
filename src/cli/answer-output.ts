import { type AnswerStyle, type AnswerText, type AnswerValue, answerJson, answerLines } from '../answers/answer.js';
import { linkHost } from './pager.js';

/** The options of every verb that prints an answer. */
export const ANSWER_OPTIONS = { json: { type: 'boolean' }, all: { type: 'boolean' } } as const;

/** What --help says of them. */
export const ANSWER_HELP = `  --json    print the answer as data, as docs/json.md describes it
  --all     show what is folded: functions that are not the application's
`;

/** How answers are shown on this stdout: with links, colours and cut lines on a terminal only. */
export function answerStyle({ all = false }: { readonly all?: boolean }): AnswerStyle {
  const { isTTY, columns } = process.stdout;
  const links = { all, linkHost: linkHost() };
  return isTTY ? { ...links, width: columns, colours: true } : links;
}

/** The exit status of a verb that asks each thread: 1 if none has answered. */
export const statusOf = ({ threads }: { readonly threads: readonly { readonly silence?: string }[] }): number =>
  threads.every(({ silence }) => silence !== undefined) ? 1 : 0;

/** Prints an answer. Its texts have made control characters visible already. */
export function printAnswer<Value extends AnswerValue>(
  value: Value,
  text: AnswerText<Value>,
  values: { readonly json?: boolean; readonly all?: boolean },
): void {
  process.stdout.write(values.json ? answerJson(value) : answerLines(text(value, answerStyle(values))));
}
