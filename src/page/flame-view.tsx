import { signal, useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { STACK_ORDERS, type StackNode } from '../timeline/stacks.js';
import { stacks } from './counted.js';
import { FlameCanvas } from './flame-canvas.js';
import { chooseNode, flamePath, flameRoot, nodeText } from './flame-choice.js';
import { FunctionButtons } from './function-buttons.js';
import { flameOrder, functionName } from './state.js';

/** The node that has the whole width, with the way to it; undefined: the root. */
const widest = signal<readonly StackNode[] | undefined>(undefined);

const ORDER_TITLES = { time: 'in the order of time', heavy: 'heaviest left', name: 'by name' } as const;

/** The flame graph of what is selected. */
export function FlameView() {
  const root = useComputed(() => stacks.value.root(flameOrder.value, functionName)).value;
  useEffect(() => {
    flameRoot.value = root;
    flamePath.value = undefined;
    widest.value = undefined;
  }, [root]);
  const nodes = widest.value ?? [root];
  const path = flamePath.value?.nodes;
  const func = path?.at(-1)?.func ?? -1;
  return (
    <section class="scrolled" aria-label="Flame graph">
      <p class="bar">
        <label>
          Order{' '}
          <select
            value={flameOrder.value}
            onChange={({ currentTarget }) => (flameOrder.value = currentTarget.value as typeof flameOrder.value)}
          >
            {STACK_ORDERS.map((order) => (
              <option key={order} value={order}>
                {ORDER_TITLES[order]}
              </option>
            ))}
          </select>
        </label>{' '}
        <button type="button" disabled={path === undefined} onClick={() => (widest.value = path)}>
          Widen what is chosen
        </button>{' '}
        <button type="button" disabled={widest.value === undefined} onClick={() => (widest.value = undefined)}>
          Show all
        </button>
      </p>
      <FlameCanvas id="flame" root={nodes.at(-1)!} above={nodes.slice(0, -1)} label="Flame graph" />
      <aside class="details" aria-label="What is chosen">
        {path === undefined ? (
          <p class="faint">Nothing is chosen: click at a function, or press an arrow key.</p>
        ) : (
          <>
            <p>{nodeText(path.at(-1)!, root.total)}</p>
            {func >= 0 && (
              <FunctionButtons func={func}>
                <button type="button" onClick={() => chooseNode(path.slice(0, -1))} disabled={path.length < 2}>
                  Its caller
                </button>
              </FunctionButtons>
            )}
          </>
        )}
      </aside>
    </section>
  );
}
