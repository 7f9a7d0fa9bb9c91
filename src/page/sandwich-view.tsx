import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { StackNode } from '../timeline/stacks.js';
import { showSource } from './actions.js';
import { ColumnHeads } from './column-heads.js';
import { functionRows, stacks } from './counted.js';
import { FlameCanvas } from './flame-canvas.js';
import { flameNodes, flamePath, flameRoot, nodeText, PLAIN_NODES } from './flame-choice.js';
import { chosenFunction, functionName } from './state.js';
import { countText, timeText } from './time-text.js';

/** Rows of each list. */
const LISTED = 15;

/** What a function called, and what called it. */
export function SandwichView() {
  const around = useComputed(() => {
    const func = chosenFunction.value ?? mostTime();
    return func === undefined ? undefined : { func, ...stacks.value.around(func) };
  }).value;
  useEffect(() => {
    flameRoot.value = around?.callees;
    flameNodes.value = PLAIN_NODES;
    flamePath.value = undefined;
  }, [around]);
  if (around === undefined) return <p class="faint">There is no call with a time.</p>;
  const { func, callees, callers } = around;
  return (
    <section class="scrolled" aria-label="Callers and callees">
      <h2>{functionName(func)}</h2>
      <p>
        {nodeText(callees, 0)}{' '}
        <button type="button" onClick={() => showSource(func)}>
          Source
        </button>
      </p>
      <div class="lists">
        <List title="Callers" nodes={callers.children} whole={callers.total} />
        <List title="Callees" nodes={callees.children} whole={callees.total} />
      </div>
      <h3>Callers, the function at the bottom</h3>
      <div class="upward">
        <FlameCanvas id="callers" root={callers} above={[]} isUpward kind={PLAIN_NODES} label="Callers" />
      </div>
      <h3>Callees, the function at the top</h3>
      <FlameCanvas id="callees" root={callees} above={[]} kind={PLAIN_NODES} label="Callees" />
    </section>
  );
}

/** The function with the most self time, if none is chosen. */
function mostTime(): number | undefined {
  return [...functionRows.value].sort((a, b) => b.self - a.self)[0]?.func;
}

function List({ title, nodes, whole }: { readonly title: string; readonly nodes: readonly StackNode[]; readonly whole: number }) {
  return (
    <table>
      <caption>{title}</caption>
      <ColumnHeads names={['Function', 'Calls', 'Time', 'Part']} />
      <tbody>
        {nodes.length === 0 && (
          <tr>
            <td colSpan={4} class="faint">
              none
            </td>
          </tr>
        )}
        {nodes.slice(0, LISTED).map(({ func, count, total }) => (
          <tr key={func}>
            <th scope="row">
              <button type="button" class="link" data-row onClick={() => (chosenFunction.value = func)}>
                {functionName(func)}
              </button>
            </th>
            <td>{countText(count)}</td>
            <td>{timeText(total)}</td>
            <td>{whole > 0 ? `${((100 * total) / whole).toFixed(1)} %` : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
