import type { PlaceStyle } from './place-text.js';

/** What every answer begins with: plain data, as `answers/NAME.json` and `fentry NAME --json` have it. */
export interface AnswerValue {
  /** The name of the answer: of its file, of its verb and of its folder in src/answers/. */
  readonly answer: string;
  /** Goes up when a field is removed, or means something else. */
  readonly version: number;
  /** The process that answers. */
  readonly pid: number;
  /** Absolute path of the folder that the program was started in; '' if it is not known. Places are shown relative to it. */
  readonly application: string;
}

/** How an answer is shown as text. */
export interface AnswerStyle extends PlaceStyle {
  /** Characters of a line on the reader's terminal. Absent: lines are not cut. */
  readonly width?: number;
  /** Whether what is folded by default is shown too: functions that are not the application's. */
  readonly all?: boolean;
  /** Whether a terminal's colours are used. */
  readonly colours?: boolean;
}

/** Makes the text of an answer, line by line, without line ends. Pure. */
export type AnswerText<Value extends AnswerValue> = (value: Value, style: AnswerStyle) => readonly string[];

/** An answer as JSON, without a line end. */
export const answerData = (value: object): string => JSON.stringify(value, undefined, 2);

/** The file `answers/NAME.json`, and what `fentry NAME --json` prints. */
export const answerJson = (value: AnswerValue): string => `${answerData(value)}\n`;

/** The file `answers/NAME`, and what `fentry NAME` prints when it is piped. */
export const answerLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
