import { visible } from '../../base/visible.js';
import type { AnswerStyle } from '../answer.js';
import { placeText } from '../place-text.js';
import type { BtAnswer, BtFrame, BtThread } from './bt-answer.js';

/** `thread 0 (main), pid 4711: runs`, and a line for each call. */
export function btText(value: BtAnswer, style: AnswerStyle): readonly string[] {
  const placed = { folder: value.application, ...style };
  return value.threads.flatMap((thread, i) => [...(i > 0 ? [''] : []), headOf(thread), ...framesOf(thread, placed)]);
}

const STATES: Readonly<Record<BtThread['state'], string>> = {
  running: 'runs',
  idle: 'waits in its event loop',
  blocked: 'does not answer',
};

function headOf({ thread, name, tid, state, doing }: BtThread): string {
  const title = thread === 0 ? 'main thread' : `worker ${thread}${name === '' ? '' : ` (${visible(name)})`}`;
  return `${title}${tid === undefined ? '' : `, tid ${tid}`}: ${doing === undefined ? STATES[state] : visible(doing)}`;
}

function framesOf({ frames, cut }: BtThread, style: AnswerStyle): readonly string[] {
  const lines = frames.map((frame) => frameLine(frame, style));
  if (cut !== undefined) lines.splice(cut.after, 0, `    ... ${cut.count} calls are left out`);
  return lines;
}

function frameLine({ name, place, package: from, isAsync }: BtFrame, style: AnswerStyle): string {
  const where = place === undefined ? '' : `  ${placeText(place, style)}`;
  return `  ${isAsync ? 'async ' : ''}${visible(name)}${from === undefined ? '' : ` [${visible(from)}]`}${where}`;
}
