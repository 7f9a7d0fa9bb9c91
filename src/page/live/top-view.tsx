import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { nameText } from '../../answers/place-text.js';
import type { TopAnswer, TopOrder } from '../../answers/top/top-answer.js';
import { visible, visibleLine } from '../../base/visible.js';
import { ColumnHeads } from '../column-heads.js';
import { message } from '../state.js';
import { countText, timeText } from '../time-text.js';
import { PlaceLink } from './frame-link.js';
import { hasEnded, isAll, isPaused, isPrepared, isReadOnly, pid, server } from './live-state.js';
import { NeedsFentry } from './needs-fentry.js';

const ORDERS = [
  ['time', 'time, with the functions inside'],
  ['self', 'time without the functions inside'],
  ['calls', 'calls'],
] as const satisfies readonly (readonly [TopOrder, string])[];

/** The functions that are called most or take most time, again each second. */
export function TopView() {
  const order = useSignal<TopOrder>('time');
  const answer = useSignal<TopAnswer | undefined>(undefined);
  const refusal = useSignal('');
  const isOn = isPrepared.value && !isReadOnly.value && !isPaused.value && !hasEnded.value;
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    refusal.value = '';
    const words = { pid: pid.value!, order: order.value, isOwnOnly: !isAll.value };
    const take = (lines: readonly string[]): void => {
      answer.value = JSON.parse(lines.at(-1)!) as TopAnswer;
    };
    server.watch('/live/top', words, take, stop.signal).catch((error: Error) => {
      if (!stop.signal.aborted) refusal.value = error.message;
    });
    return () => stop.abort();
  }, [isOn, pid.value, order.value, isAll.value]);
  if (!isPrepared.value) return <NeedsFentry />;
  const nextOrder = (): void => {
    const at = ORDERS.findIndex(([name]) => name === order.value);
    const [name, words] = ORDERS[(at + 1) % ORDERS.length]!;
    order.value = name;
    message.value = `sorted by ${words}`;
  };
  return (
    <section class="scrolled live" aria-label="Functions">
      <p class="bar">
        <button type="button" data-action="order" onClick={nextOrder}>
          Sorted by {ORDERS.find(([name]) => name === order.value)![1]} <kbd>o</kbd>
        </button>{' '}
        <label>
          <input type="checkbox" data-action="all" checked={isAll.value} onChange={() => (isAll.value = !isAll.value)} /> with
          functions of packages
        </label>
      </p>
      <p class="faint">
        Each call is counted while this view is shown: that costs the process some time for each, and ends with the view.
      </p>
      {isReadOnly.value && <p>This page only reads: counting would switch the function profiler on.</p>}
      {refusal.value !== '' && (
        <pre role="alert" class="refusal">
          {visible(refusal.value)}
        </pre>
      )}
      {(answer.value?.notes ?? []).map((note) => (
        <p key={note} class="warning">
          {visibleLine(note)}
        </p>
      ))}
      {answer.value !== undefined && <Rows answer={answer.value} />}
    </section>
  );
}

function Rows({ answer: { functions, seconds, cpu } }: { readonly answer: TopAnswer }) {
  return (
    <table class="functions">
      <caption>
        {functions.length} functions in the last {seconds.toFixed(1)} s
        {cpu !== undefined && `, ${Math.round((100 * cpu) / seconds)} % of a core`}
      </caption>
      <ColumnHeads names={['Function', 'Calls', 'Time', 'Each', 'Place']} />
      <tbody>
        {functions.map((one) => (
          <tr key={nameText(one)}>
            <th scope="row">{nameText(one)}</th>
            <td>{countText(one.calls)}</td>
            <td>{timeText(one.time)}</td>
            <td>{one.calls === 0 ? '' : timeText(one.time / one.calls)}</td>
            <td class="place">{one.place !== undefined && <PlaceLink place={one.place} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
