import type { SlowTurn } from '../../answers/slow/slow-answer.js';
import { turnText } from '../../answers/slow/slow-text.js';
import { PlaceLink } from './frame-link.js';
import { folder, isPrepared, slowMs, slowTurns } from './live-state.js';
import { NeedsFentry } from './needs-fentry.js';

/** Milliseconds that a person can choose. */
const THRESHOLDS = [10, 20, 50, 100, 200, 500, 1000] as const;
/** Functions of a turn whose sources are offered. */
const SOURCES = 3;

/** Turns of the event loop that took too long, as they come. */
export function SlowView() {
  if (!isPrepared.value) return <NeedsFentry />;
  return (
    <section class="scrolled live" aria-label="Slow turns">
      <p class="bar">
        <label>
          Turns of the event loop longer than{' '}
          <select
            data-action="threshold"
            value={slowMs.value}
            onChange={({ currentTarget }) => {
              slowMs.value = Number(currentTarget.value);
            }}
          >
            {THRESHOLDS.map((ms) => (
              <option key={ms} value={ms}>
                {ms} ms
              </option>
            ))}
          </select>
        </label>{' '}
        <button type="button" data-action="clear" onClick={() => (slowTurns.value = [])}>
          Empty the list <kbd>c</kbd>
        </button>
      </p>
      <p class="faint">
        While one runs, nothing else of the thread can: no request, no timer. They are watched as long as this page is open.
      </p>
      {slowTurns.value.length === 0 && <p>None since this page is open.</p>}
      <ol class="turns" aria-live="polite" aria-relevant="additions">
        {slowTurns.value.map((turn) => (
          <Turn key={`${turn.at} ${turn.thread.tid} ${turn.number}`} turn={turn} />
        ))}
      </ol>
    </section>
  );
}

function Turn({ turn }: { readonly turn: SlowTurn }) {
  const [head, ...rest] = turnText(turn, { folder: folder.value });
  const places = turn.functions.flatMap(({ frame, line }) =>
    frame.place === undefined ? [] : [{ ...frame.place, line: line || frame.place.line }],
  );
  return (
    <li>
      <strong>{head}</strong>
      <pre class="lines">{rest.join('\n')}</pre>
      {places.slice(0, SOURCES).map((place) => (
        <span key={`${place.file}:${place.line}`} class="place">
          <PlaceLink place={place} />{' '}
        </span>
      ))}
    </li>
  );
}
