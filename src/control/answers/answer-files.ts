import { type AnswerText, type AnswerValue, answerJson, answerLines } from '../../answers/answer.js';
import { btText } from '../../answers/bt/bt-text.js';
import { waitingText } from '../../answers/waiting/waiting-text.js';
import type { Inspect } from '../../port/inspect.js';
import type { AnswerName } from './answer-names.js';

/** Asks for an answer, and makes the content of its file, or of the one with `.json` behind its name. */
type Content = (inspect: Inspect, isJson: boolean) => Promise<string>;

const content =
  <Value extends AnswerValue>(ask: (inspect: Inspect) => Promise<Value>, text: AnswerText<Value>): Content =>
  async (inspect, isJson) => {
    const value = await ask(inspect);
    return isJson ? answerJson(value) : answerLines(text(value, {}));
  };

const CONTENTS: Readonly<Record<AnswerName, Content>> = {
  bt: content((inspect) => inspect.bt({ locals: false }), btText),
  bt_locals: content((inspect) => inspect.bt({ locals: true }), btText),
  waiting: content((inspect) => inspect.waiting({ locals: false, force: false }), waitingText),
  waiting_locals: content((inspect) => inspect.waiting({ locals: true, force: false }), waitingText),
  waiting_forced: content((inspect) => inspect.waiting({ locals: false, force: true }), waitingText),
  waiting_locals_forced: content((inspect) => inspect.waiting({ locals: true, force: true }), waitingText),
};

/** The content of `answers/NAME`, or of `answers/NAME.json`. */
export const answerContent = (name: AnswerName, inspect: Inspect, isJson: boolean): Promise<string> =>
  CONTENTS[name](inspect, isJson);
