import { useEffect, useState } from 'preact/hooks';
import { visible } from '../base/visible.js';
import { functionRows } from './counted.js';
import type { SourceOfPage } from './data-source.js';
import { chosenFunction, dataSource, functionName, message, recording, sourcePlace } from './state.js';
import { countText, timeText } from './time-text.js';

/** Lines that are shown around the one that was asked for. */
const AROUND = 2000;

/** A source, with the calls and times of the functions that begin on its lines. */
export function SourceView() {
  const place = sourcePlace.value ?? placeOfChosen();
  const [text, setText] = useState<SourceOfPage | string>();
  const file = place?.file;
  useEffect(() => {
    setText(undefined);
    if (file === undefined) return;
    dataSource.value!.source(file).then(setText, (error: Error) => setText(error.message));
  }, [file]);
  useEffect(() => {
    if (typeof text !== 'object' || place === undefined) return;
    const line = document.querySelector<HTMLElement>(`#line-${place.line}`);
    line?.scrollIntoView({ block: 'center' });
    line?.focus({ preventScroll: true });
    const words = text.text.split('\n')[place.line - 1]?.trim() ?? '';
    message.value = `${fileName(place.file)}, line ${place.line}: ${words}`;
  }, [text, place?.file, place?.line]);
  if (place === undefined)
    return <p class="faint">No function is chosen. Choose one in another view, and press Enter there, or "Source".</p>;
  return (
    <section class="scrolled" aria-label="Source">
      <h2>{visible(fileName(place.file))}</h2>
      {text === undefined && <p class="faint">It is read ...</p>}
      {typeof text === 'string' && <p role="alert">{text}</p>}
      {typeof text === 'object' && (
        <>
          {text.isNewer && <p role="alert">The file was changed after it was recorded: lines may not be those that ran.</p>}
          <Lines text={text.text} file={place.file} line={place.line} />
        </>
      )}
    </section>
  );
}

/** A file as the places of its functions name it: relative to the application's folder. */
function fileName(file: string): string {
  const one = recording.value?.functions.find((func) => func.file === file && func.where !== '');
  return one === undefined ? file : one.where.replace(/:\d+$/, '');
}

function placeOfChosen(): { readonly file: string; readonly line: number } | undefined {
  const one = chosenFunction.value === undefined ? undefined : recording.value?.functions[chosenFunction.value];
  return one === undefined || one.file === '' ? undefined : one;
}

function Lines({ text, file, line }: { readonly text: string; readonly file: string; readonly line: number }) {
  const lines = text.split('\n');
  const first = Math.max(0, line - AROUND);
  const times = new Map<number, { calls: number; total: number; self: number; functions: number[] }>();
  for (const { func, calls, total, self } of functionRows.value) {
    const one = recording.value!.functions[func]!;
    if (one.file !== file) continue;
    const known = times.get(one.line) ?? { calls: 0, total: 0, self: 0, functions: [] };
    times.set(one.line, {
      calls: known.calls + calls,
      total: known.total + total,
      self: known.self + self,
      functions: [...known.functions, func],
    });
  }
  return (
    <table class="source">
      <thead>
        <tr>
          <th scope="col">Calls</th>
          <th scope="col">Total</th>
          <th scope="col">Self</th>
          <th scope="col">Line</th>
          <th scope="col" class="code">
            Source
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.slice(first, line + AROUND).map((code, i) => {
          const number = first + i + 1;
          const sum = times.get(number);
          return (
            <tr
              key={number}
              id={`line-${number}`}
              tabIndex={-1}
              class={number === line ? 'chosen' : ''}
              aria-current={number === line ? 'true' : undefined}
            >
              <td>{sum && countText(sum.calls)}</td>
              <td>{sum && timeText(sum.total)}</td>
              <td>{sum && timeText(sum.self)}</td>
              <th scope="row">
                {sum === undefined ? (
                  number
                ) : (
                  <button
                    type="button"
                    class="link"
                    data-row
                    title={sum.functions.map(functionName).join(', ')}
                    onClick={() => (chosenFunction.value = sum.functions[0])}
                  >
                    {number}
                  </button>
                )}
              </th>
              <td class="code">
                <code>{visible(code)}</code>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
