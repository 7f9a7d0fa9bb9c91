import { useLayoutEffect } from 'preact/hooks';
import { visible } from '../base/visible.js';
import { countCalls } from '../timeline/search.js';
import { choose, goToHit, runSearch, showSource, showView } from './actions.js';
import { chosenFunction, found, functionName, query, recording } from './state.js';
import { countText } from './time-text.js';

/** Rows that the list of what was found has. */
const LISTED = 12;

/** The search box, and what was found. */
export function SearchBox() {
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (found.value === undefined || query.value !== searched) {
            searched = query.value;
            runSearch();
          }
          // From now on n and the other keys are keys again, and no text.
          document.querySelector<HTMLElement>('#search')?.blur();
        }}
      >
        <input
          id="search"
          type="search"
          placeholder="Search (/)"
          aria-label="Search in functions, files, arguments, results, events and marks"
          value={query.value}
          onInput={({ currentTarget }) => (query.value = currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape') currentTarget.blur();
          }}
        />
      </form>
    </search>
  );
}

let searched = '';

/** What was found, the functions first. */
export function FoundList() {
  useLayoutEffect(() => {
    if (found.value !== undefined) document.querySelector<HTMLElement>('#found button')?.focus();
  }, [found.value]);
  const all = recording.value;
  if (found.value === undefined || all === undefined) return null;
  const { functions, slices, marks, texts, instants } = found.value;
  const counts = [...countCalls(all, functions)].sort(([, a], [, b]) => b - a).slice(0, LISTED);
  return (
    <aside id="found" class="details" aria-label="What was found">
      <p>
        {countText(functions.size)} functions, {countText(texts.size)} texts, {countText(instants.size)} kinds of events,{' '}
        {countText(slices.length)} slices, {countText(marks.length)} marks.{' '}
        <button type="button" onClick={() => goToHit(1)}>
          Next (n)
        </button>{' '}
        <button type="button" onClick={() => goToHit(-1)}>
          Before (Shift n)
        </button>
      </p>
      <ul>
        {counts.map(([func, count]) => (
          <li key={func}>
            <button
              type="button"
              class="link"
              onClick={() => {
                chosenFunction.value = func;
                showView('table');
              }}
            >
              {visible(functionName(func))}
            </button>{' '}
            {countText(count)} calls{' '}
            <button type="button" class="link" onClick={() => showSource(func)}>
              {visible(all.functions[func]!.where)}
            </button>
          </li>
        ))}
        {slices.slice(0, LISTED).map((index) => (
          <li key={`slice ${index}`}>
            <button
              type="button"
              class="link"
              onClick={() => {
                showView('timeline');
                choose({ type: 'slice', index });
              }}
            >
              {visible(all.slice(index).title)}
            </button>
          </li>
        ))}
      </ul>
    </aside>
  );
}
