import { allocationsText } from '../../answers/allocations/allocations-text.js';
import { type AnswerText, type AnswerValue, answerJson, answerLines } from '../../answers/answer.js';
import { btText } from '../../answers/bt/bt-text.js';
import { handlesText } from '../../answers/handles/handles-text.js';
import type { HeapRequest } from '../../answers/heap/heap-answer.js';
import { heapText } from '../../answers/heap/heap-text.js';
import { slowText } from '../../answers/slow/slow-text.js';
import { waitingText } from '../../answers/waiting/waiting-text.js';
import type { Inspect } from '../../port/inspect.js';
import type { AnswerName } from './answer-names.js';
import type { SlowTurns } from './slow-turns.js';

export { RequestsFile } from './requests-file.js';
export { SlowPipe } from './slow-pipe.js';
export { SlowTurns } from './slow-turns.js';

/** Asks for an answer, and makes the content of its file, or of the one with `.json` behind its name. */
type Content = (asked: Asked, isJson: boolean) => Promise<string>;

/** What can be asked. */
export interface Asked {
  readonly inspect: Inspect;
  slow(): SlowTurns;
}

const content =
  <Value extends AnswerValue>(ask: (asked: Asked) => Value | Promise<Value>, text: AnswerText<Value>): Content =>
  async (asked, isJson) => {
    const value = await ask(asked);
    return isJson ? answerJson(value) : answerLines(text(value, {}));
  };

const CONTENTS: Readonly<Record<AnswerName, Content>> = {
  bt: content(({ inspect }) => inspect.bt({ locals: false }), btText),
  bt_locals: content(({ inspect }) => inspect.bt({ locals: true }), btText),
  waiting: content(({ inspect }) => inspect.waiting({ locals: false, force: false }), waitingText),
  waiting_locals: content(({ inspect }) => inspect.waiting({ locals: true, force: false }), waitingText),
  waiting_forced: content(({ inspect }) => inspect.waiting({ locals: false, force: true }), waitingText),
  waiting_locals_forced: content(({ inspect }) => inspect.waiting({ locals: true, force: true }), waitingText),
  slow: content(({ slow }) => slow().answer(), slowText),
  handles: content(({ inspect }) => inspect.handles({ force: false }), handlesText),
  handles_forced: content(({ inspect }) => inspect.handles({ force: true }), handlesText),
};

/** The content of a file of allocations: after so many seconds, or less if the file is closed. */
export async function allocationsContent(
  inspect: Inspect,
  seconds: number,
  isJson: boolean,
  closed: AbortSignal,
): Promise<string> {
  const value = await inspect.allocations({ seconds }, closed);
  return isJson ? answerJson(value) : answerLines(allocationsText(value, {}));
}

/** The content of a file of heap: after so many seconds, or less if the file is closed. */
export async function heapContent(inspect: Inspect, request: HeapRequest, isJson: boolean, closed: AbortSignal): Promise<string> {
  const value = await inspect.heap(request, closed);
  return isJson ? answerJson(value) : answerLines(heapText(value, {}));
}

/** The content of `answers/NAME`, or of `answers/NAME.json`. */
export const answerContent = (name: AnswerName, asked: Asked, isJson: boolean): Promise<string> => CONTENTS[name](asked, isJson);
