import { useEffect, useState } from 'preact/hooks';
import type { FunctionSums } from '../answers/diff/diff-answer.js';
import { visible } from '../base/visible.js';
import { comparison } from './compared.js';
import { functionRows } from './counted.js';
import type { SourceOfPage } from './data-source.js';
import { chosenFunction, dataSource, functionName, message, recording, side, sourcePlace } from './state.js';
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
    dataSource.value!.source(file, side.value).then(setText, (error: Error) => setText(error.message));
  }, [file, side.value]);
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

/** What is known of a line on which functions begin. */
interface LineSums {
  readonly functions: number[];
  /** By recording, those that are shown. */
  readonly sums: { calls: number; total: number; self: number }[];
}

const NUMBERS = [
  ['calls', 'Calls', countText],
  ['total', 'Total', timeText],
  ['self', 'Self', timeText],
] as const;
const SIDES = ['before', 'after'] as const;

/** The sums of the functions that begin on each line of a file: of the selected time, or of both recordings. */
function sumsByLine(file: string): ReadonlyMap<number, LineSums> {
  const lines = new Map<number, LineSums>();
  const { functions } = recording.value!;
  const add = (func: number, sums: readonly (Omit<FunctionSums, 'p50' | 'p90' | 'p99'> | undefined)[]): void => {
    const { file: its, line } = functions[func]!;
    if (its !== file) return;
    const known = lines.get(line) ?? { functions: [], sums: sums.map(() => ({ calls: 0, total: 0, self: 0 })) };
    lines.set(line, known);
    known.functions.push(func);
    for (const [i, one] of sums.entries()) for (const [key] of NUMBERS) known.sums[i]![key] += one?.[key] ?? 0;
  };
  const all = comparison.value;
  if (all === undefined) for (const row of functionRows.value) add(row.func, [row]);
  for (const [index, { change }] of all?.functions.entries() ?? []) {
    const func = all!.functionOf(index, side.value);
    if (func !== undefined && change !== undefined) add(func, [change.before, change.after]);
  }
  return lines;
}

function Lines({ text, file, line }: { readonly text: string; readonly file: string; readonly line: number }) {
  const lines = text.split('\n');
  const first = Math.max(0, line - AROUND);
  const times = sumsByLine(file);
  const columns = comparison.value === undefined ? [''] : SIDES;
  return (
    <table class="source">
      <thead>
        <tr>
          {NUMBERS.flatMap(([key, title]) =>
            columns.map((one) => (
              <th key={`${key} ${one}`} scope="col">
                {title} {one}
              </th>
            )),
          )}
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
              {NUMBERS.flatMap(([key, , textOf]) =>
                columns.map((one, column) => <td key={`${key} ${one}`}>{sum && textOf(sum.sums[column]![key])}</td>),
              )}
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
