import { signal, useComputed } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { visible } from '../base/visible.js';
import { REQUESTS } from '../timeline/columns-format.js';
import { heaviestCall } from '../timeline/heaviest-call.js';
import { choose, goTo } from './actions.js';
import { ColumnHeads } from './column-heads.js';
import { FIRST_ROWS, ShowAll } from './show-all.js';
import { recording, revision } from './state.js';
import { countText, timeText } from './time-text.js';

const isAll = signal(false);

/** The requests, the slowest first; each leads to its time on the timeline. */
export function RequestsView() {
  const slices = useComputed(() => {
    revision.value;
    const { slices: all, sliceKinds } = recording.value!;
    const wanted = sliceKinds.findIndex(({ name }) => name === REQUESTS);
    const requests: number[] = [];
    for (const [index, kind] of all.kinds.all.entries()) if (kind === wanted) requests.push(index);
    return requests.sort((a, b) => all.durations.at(b) - all.durations.at(a));
  }).value;
  useLayoutEffect(() => {
    document.querySelector<HTMLElement>('main [data-row]')?.focus();
  }, []);
  if (slices.length === 0)
    return (
      <p class="faint">
        The recording has no HTTP requests: record with -e http as well (fentry record -p function_graph -e http -- node app.js).
      </p>
    );
  const shown = isAll.value ? slices : slices.slice(0, FIRST_ROWS);
  return (
    <section class="scrolled" aria-label="Requests">
      <table>
        <caption>
          {countText(slices.length)} requests, the slowest first. Enter shows one on the timeline, with the call of the
          application that took most of it.
        </caption>
        <ColumnHeads names={['Request', 'Time', 'At', 'Thread']} />
        <tbody>
          {shown.map((index) => (
            <Row key={index} index={index} />
          ))}
        </tbody>
      </table>
      <ShowAll isAll={isAll} count={slices.length} />
    </section>
  );
}

function Row({ index }: { readonly index: number }) {
  const all = recording.value!;
  const { title, duration, start, track } = all.slice(index);
  return (
    <tr>
      <th scope="row">
        <button type="button" class="link" data-row onClick={() => showRequest(index)}>
          {visible(title)}
        </button>
      </th>
      <td>{timeText(duration)}</td>
      <td>{timeText(start - all.from)}</td>
      <td>{visible(all.tracks[track]?.track.name ?? '')}</td>
    </tr>
  );
}

function showRequest(index: number): void {
  const all = recording.value!;
  const { track, start, duration } = all.slice(index);
  goTo({ type: 'slice', index });
  const call = heaviestCall(all, track, { from: start, to: start + duration });
  if (call !== undefined) choose({ type: 'call', ...call });
}
