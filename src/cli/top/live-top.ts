import { once } from 'node:events';
import type { AnswerStyle } from '../../answers/answer.js';
import type { TopAnswer } from '../../answers/top/top-answer.js';
import { topText } from '../../answers/top/top-text.js';
import { TraceError } from '../../base/errno.js';
import type { ProcessTop } from './process-top.js';
import type { Order } from './profile-rows.js';
import { TopTerminal } from './top-terminal.js';

/** Signals that end it as `q` does. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const ORDER_KEYS: Readonly<Record<string, Order>> = { c: 'calls', t: 'time', s: 'self' };
const KEYS = 'q quit, c by calls, t by time, s by self time, a all functions';

/** How the live table is shown. */
export interface LiveOptions {
  readonly order: Order;
  /** Seconds between readings. */
  readonly seconds: number;
  /** Functions, at most. */
  readonly most: number;
  readonly style: AnswerStyle;
  /** Called when the order changes: times are then measured otherwise. */
  readonly ordered: (order: Order) => Promise<void>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
}

/** Shows the table on the terminal until the user ends it. Rejects as a reading does: with ENODEV if the process has ended. */
export async function liveTop(
  top: ProcessTop,
  { order: first, seconds, most, style, ordered, ended }: LiveOptions,
): Promise<void> {
  let order = first;
  let last: TopAnswer | undefined;
  let all = style.all === true;
  let isOver = false;
  let wake = (): void => {};
  let leave = (): void => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const stop = (): void => {
    isOver = true;
    wake();
    leave();
  };
  const terminal = new TopTerminal((key) => {
    if (key === 'q') return stop();
    if (key === 'a') {
      all = !all;
      return draw();
    }
    const wanted = ORDER_KEYS[key];
    if (wanted === undefined || wanted === order) return;
    order = wanted;
    void ordered(wanted).catch(() => {});
    wake();
  });
  const draw = (): void => {
    if (last === undefined) return;
    const { columns, rows } = terminal.size;
    terminal.draw([...topText(last, { columns, rows: rows - 1 }, most, { ...style, all }), KEYS.slice(0, columns)]);
  };
  process.stdout.on('resize', draw);
  let isGone = false;
  void ended.then(() => {
    isGone = true;
    stop();
  });
  void Promise.race(STOP_SIGNALS.map((name) => once(process, name))).then(stop);
  try {
    // A process that is stopped does not answer.
    await Promise.race([top.begin(), left]);
    while (!isOver) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, seconds * 1000);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (isOver) break;
      const reading = await Promise.race([top.next(order), left]);
      if (reading === undefined) break;
      last = reading;
      draw();
    }
  } finally {
    process.stdout.off('resize', draw);
    terminal.close();
  }
  if (isGone) throw new TraceError('ENODEV');
}
