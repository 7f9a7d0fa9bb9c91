import { signal, useComputed } from '@preact/signals';
import { visible } from '../base/visible.js';
import { durationBuckets, type FunctionRow, sortTable, TABLE_ORDERS, type TableOrder } from '../timeline/function-table.js';
import { showLongest } from './actions.js';
import { functionRows } from './counted.js';
import { FunctionButtons } from './function-buttons.js';
import { FIRST_ROWS, ShowAll } from './show-all.js';
import {
  chosenFunction,
  countedRange,
  found,
  functionName,
  isOwnOnly,
  message,
  recording,
  selectedRange,
  tableOrder,
} from './state.js';
import { countText, timeText } from './time-text.js';

const isAll = signal(false);

const TITLES: Readonly<Record<TableOrder, string>> = {
  name: 'Function',
  calls: 'Calls',
  total: 'Total',
  self: 'Self',
  average: 'Average',
  p50: 'p50',
  p90: 'p90',
  p99: 'p99',
  max: 'Longest',
};
const NUMBERS = TABLE_ORDERS.filter((order) => order !== 'name');

const cell = (row: FunctionRow, column: (typeof NUMBERS)[number]): string =>
  column === 'calls' ? countText(row.calls) : timeText(row[column]);

/** The functions with their times. */
export function TableView() {
  const rows = useComputed(() => {
    const hits = found.value?.functions;
    const all = recording.value!.functions;
    const matching = functionRows.value.filter(({ func }) => hits === undefined || hits.size === 0 || hits.has(func));
    const own = matching.filter(({ func }) => all[func]!.isOwn);
    return sortTable(isOwnOnly.value && own.length > 0 ? own : matching, tableOrder.value, functionName);
  }).value;
  const shown = isAll.value ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <section class="table" aria-label="Functions">
      <div class="scrolled">
        <p class="bar">
          {countText(rows.length)} functions{selectedRange.value === undefined ? '' : ' of the selected time'}
          {found.value === undefined || found.value.functions.size === 0 ? '' : ' that were found'}.{' '}
          <label>
            <input type="checkbox" checked={isOwnOnly.value} onChange={() => (isOwnOnly.value = !isOwnOnly.value)} /> only the
            application's
          </label>
        </p>
        <table class="functions">
          <thead>
            <tr>
              {(['name', ...NUMBERS] as const).map((order) => (
                <th
                  key={order}
                  scope="col"
                  aria-sort={tableOrder.value === order ? (order === 'name' ? 'ascending' : 'descending') : 'none'}
                >
                  <button
                    type="button"
                    class="link"
                    onClick={() => {
                      tableOrder.value = order;
                      message.value = `by ${TITLES[order]}`;
                    }}
                  >
                    {TITLES[order]}
                  </button>
                </th>
              ))}
              <th scope="col">Place</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.func} class={chosenFunction.value === row.func ? 'chosen' : ''}>
                <th scope="row">
                  <button type="button" class="link" data-row onClick={() => (chosenFunction.value = row.func)}>
                    {visible(functionName(row.func))}
                  </button>
                </th>
                {NUMBERS.map((column) => (
                  <td key={column}>{cell(row, column)}</td>
                ))}
                <td class="place" title={recording.value!.functions[row.func]!.file}>
                  {visible(recording.value!.functions[row.func]!.where)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <ShowAll isAll={isAll} count={rows.length} />
      </div>
      {chosenFunction.value !== undefined && <Histogram func={chosenFunction.value} />}
    </section>
  );
}

/** The calls of a function by their durations. */
function Histogram({ func }: { readonly func: number }) {
  const buckets = durationBuckets(recording.value!, func, countedRange.value);
  const most = buckets.reduce((max, { count }) => Math.max(max, count), 1);
  return (
    <aside class="details histogram" aria-label={`Calls of ${functionName(func)} by duration`}>
      <h2>{visible(functionName(func))}</h2>
      <FunctionButtons func={func}>
        <button type="button" onClick={() => showLongest(func)}>
          Longest call
        </button>
      </FunctionButtons>
      {buckets.length === 0 ? (
        <p class="faint">No call of it has ended.</p>
      ) : (
        <table>
          <caption>Calls by duration</caption>
          <thead>
            <tr>
              <th scope="col">At least</th>
              <th scope="col">Calls</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ from, count }) => (
              <tr key={from}>
                <th scope="row">{timeText(from)}</th>
                <td>{countText(count)}</td>
                <td class="bars">
                  <span style={{ width: `${(100 * count) / most}%` }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </aside>
  );
}
