import { signal, useComputed } from '@preact/signals';
import { CAUSE_WORDS, chanceText, changeText, machineLines, VERDICT_WORDS } from '../answers/diff/change-words.js';
import type { FunctionChange } from '../answers/diff/diff-answer.js';
import { slowedFunctions } from '../answers/diff/slowed-functions.js';
import { visible } from '../base/visible.js';
import { durationBuckets, pairBuckets } from '../timeline/function-table.js';
import type { TimelineRecording } from '../timeline/timeline-recording.js';
import { chooseChange, showAround, showLongest, showSource, switchSide } from './actions.js';
import { chosenChange, comparison } from './compared.js';
import { FIRST_ROWS, ShowAll } from './show-all.js';
import { both, CHANGE_ORDERS, changeOrder, chosenFunction, found, isOwnOnly, message, query } from './state.js';
import { countText, timeText } from './time-text.js';

const isAll = signal(false);

type Order = (typeof CHANGE_ORDERS)[number];

const TITLES: Readonly<Record<Order, string>> = {
  total: 'Total',
  self: 'Self',
  calls: 'Calls',
  p50: 'p50',
  p90: 'p90',
  p99: 'p99',
};
const textOf = (order: Order, value: number): string => (order === 'calls' ? countText(value) : timeText(value));
const signedText = (ns: number): string => `${ns < 0 ? '−' : '+'}${timeText(Math.abs(ns))}`;
const changed = ({ before, after }: FunctionChange, order: Order): number => (after?.[order] ?? 0) - (before?.[order] ?? 0);

/** What became of each function from one recording to the other. */
export function ChangesView() {
  const rows = useComputed(() => {
    const all = comparison.value;
    if (all === undefined) return [];
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = all.functions.flatMap(({ change }, index) => (change === undefined ? [] : [{ index, change }]));
    const isHit = (index: number): boolean => words.every((word) => all.nameOf(index).toLowerCase().includes(word));
    const matching = found.value === undefined ? rows : rows.filter(({ index }) => isHit(index));
    const own = matching.filter(({ change }) => change.isOwn);
    const shown = isOwnOnly.value && own.length > 0 ? own : matching;
    const order = changeOrder.value;
    return shown.sort((a, b) => Math.abs(changed(b.change, order)) - Math.abs(changed(a.change, order)));
  }).value;
  const all = comparison.value;
  if (all === undefined) return <p class="faint">There is one recording.</p>;
  return (
    <section class="table" aria-label="Changes">
      <div class="scrolled">
        <Verdicts />
        <p class="bar">
          {countText(rows.length)} functions, those that changed most first; a cell is the value after, and its change.{' '}
          <label>
            <input type="checkbox" checked={isOwnOnly.value} onChange={() => (isOwnOnly.value = !isOwnOnly.value)} /> only the
            application's
          </label>
        </p>
        <table class="functions">
          <thead>
            <tr>
              <th scope="col">Function</th>
              <th scope="col">Change</th>
              {CHANGE_ORDERS.map((order) => (
                <th key={order} scope="col" colSpan={2} aria-sort={changeOrder.value === order ? 'descending' : 'none'}>
                  <button
                    type="button"
                    class="link"
                    onClick={() => {
                      changeOrder.value = order;
                      message.value = `by the change of ${order}`;
                    }}
                  >
                    {TITLES[order]}
                  </button>
                </th>
              ))}
              <th scope="col">A call is</th>
            </tr>
          </thead>
          <tbody>
            {(isAll.value ? rows : rows.slice(0, FIRST_ROWS)).map(({ index, change }) => (
              <tr key={index} class={chosenChange.value === index ? 'chosen' : ''}>
                <th scope="row">
                  <button type="button" class="link" data-row onClick={() => choose(index)}>
                    {visible(all.nameOf(index))}
                  </button>
                </th>
                <td>{change.change === 0 ? '=' : signedText(change.change)}</td>
                {CHANGE_ORDERS.map((order) => (
                  <Cell key={order} change={change} order={order} />
                ))}
                <td class="place">{verdictOf(change)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <ShowAll isAll={isAll} count={rows.length} />
      </div>
      {chosenChange.value !== undefined && <TwoHistograms index={chosenChange.value} />}
    </section>
  );
}

function choose(index: number): void {
  chooseChange(index);
  const change = comparison.value!.functions[index]!.change!;
  message.value = `${comparison.value!.nameOf(index)}: ${verdictOf(change)}, total time ${signedText(change.change)}`;
}

function verdictOf({ verdict, cause, call, own }: FunctionChange): string {
  const p = cause === 'own' ? own?.p : call?.p;
  return cause === undefined || p === undefined ? VERDICT_WORDS[verdict] : `${VERDICT_WORDS[verdict]} (${chanceText(p)})`;
}

/** The value after, and beside it the change. */
function Cell({ change: { before, after }, order }: { readonly change: FunctionChange; readonly order: Order }) {
  if (after === undefined)
    return (
      <>
        <td />
        <td class="change">gone</td>
      </>
    );
  return (
    <>
      <td>{textOf(order, after[order])}</td>
      <td class="change">{before === undefined ? 'new' : changeText(before[order], after[order])}</td>
    </>
  );
}

/** The functions that are slower or faster by their own doing, in words. */
function Verdicts() {
  const { answer, functions } = comparison.value!;
  const slower = slowedFunctions(answer.functions);
  const faster = answer.functions.filter(({ verdict, cause }) => verdict === 'faster' && cause !== 'callees');
  const line = (word: string, change: FunctionChange) => {
    const index = functions.findIndex((one) => one.change === change);
    const p = change.cause === 'own' ? change.own?.p : change.call?.p;
    return (
      <li key={index}>
        {word}:{' '}
        <button type="button" class="link" onClick={() => choose(index)}>
          {visible(comparison.value!.nameOf(index))}
        </button>
        : {CAUSE_WORDS[change.cause ?? 'own'](change)}
        {p === undefined ? '' : ` (${chanceText(p)})`}
      </li>
    );
  };
  return (
    <ul class="verdicts">
      {slower.length + faster.length === 0 && <li>No function differs by more than chance.</li>}
      {slower.map((one) => line('slower', one))}
      {faster.map((one) => line('faster', one))}
      {Array.from(machineLines(answer), (text) => (
        <li key={text} class="faint">
          {text}
        </li>
      ))}
    </ul>
  );
}

const SIDES = ['before', 'after'] as const;
const wholeOf = ({ from, to }: TimelineRecording) => ({ from, to });

/** The calls of a function by their durations, in both recordings, above each other. */
function TwoHistograms({ index }: { readonly index: number }) {
  const all = comparison.value!;
  const { change } = all.functions[index]!;
  const [before, after] = SIDES.map((one) => {
    const func = all.functionOf(index, one);
    const recording = both.value![one];
    return func === undefined ? [] : durationBuckets(recording, func, wholeOf(recording));
  });
  const buckets = pairBuckets(before!, after!);
  const most = buckets.reduce((max, one) => Math.max(max, one.before, one.after), 1);
  const func = chosenFunction.value;
  return (
    <aside class="details histogram" aria-label={`Calls of ${all.nameOf(index)} by duration, before and after`}>
      <h2>{visible(all.nameOf(index))}</h2>
      <p>
        {func === undefined ? (
          <button type="button" onClick={switchSide}>
            Show the recording that has it
          </button>
        ) : (
          <>
            <button type="button" onClick={() => showSource(func)}>
              Source
            </button>{' '}
            <button type="button" onClick={() => showAround(func)}>
              Callers and callees
            </button>{' '}
            <button type="button" onClick={() => showLongest(func)}>
              Longest call
            </button>
          </>
        )}
      </p>
      <div class="lists">
        {buckets.length === 0 ? (
          <p class="faint">No call of it has ended.</p>
        ) : (
          <table class="two">
            <caption>
              Calls by duration: <span class="before">before</span> above, <span class="after">after</span> below
            </caption>
            <thead>
              <tr>
                <th scope="col">At least</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {buckets.map((one) => (
                <tr key={one.from}>
                  <th scope="row">{timeText(one.from)}</th>
                  <td>{countText(one.before)}</td>
                  <td>{countText(one.after)}</td>
                  <td class="bars">
                    <span class="before" style={{ width: `${(100 * one.before) / most}%` }} />
                    <span class="after" style={{ width: `${(100 * one.after) / most}%` }} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {change !== undefined && (
          <table class="numbers">
            <caption>Both recordings</caption>
            <thead>
              <tr>
                <td />
                {CHANGE_ORDERS.map((order) => (
                  <th key={order} scope="col">
                    {TITLES[order]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {SIDES.map((one) => (
                <tr key={one}>
                  <th scope="row">{one}</th>
                  {CHANGE_ORDERS.map((order) => (
                    <td key={order}>{change[one] === undefined ? 'none' : textOf(order, change[one][order])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </aside>
  );
}
