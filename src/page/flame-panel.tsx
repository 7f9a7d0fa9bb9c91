import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { STACK_ORDERS, type StackNode } from '../timeline/stacks.js';
import { FlameCanvas } from './flame-canvas.js';
import { chooseNode, type FlameNodes, flameNodes, flamePath, flameRoot, widen, widest } from './flame-choice.js';
import { FunctionButtons } from './function-buttons.js';
import { chosenFunction, flameOrder } from './state.js';

const ORDER_TITLES = { time: 'in the order of time', heavy: 'heaviest left', name: 'by name' } as const;

/** A flame graph with its order, what is chosen in it, and a legend. */
export function FlamePanel({
  root,
  nodes: kind,
  label,
  children,
}: {
  readonly root: StackNode;
  readonly nodes: FlameNodes;
  readonly label: string;
  readonly children?: ComponentChildren;
}) {
  useEffect(() => {
    flameRoot.value = root;
    flameNodes.value = kind;
    flamePath.value = undefined;
    widest.value = undefined;
  }, [root]);
  const nodes = widest.value ?? [root];
  const path = flamePath.value?.nodes;
  const func = chosenFunction.value;
  return (
    <section class="scrolled" aria-label={label}>
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
        <button type="button" disabled={path === undefined} onClick={widen}>
          <kbd>f</kbd> Widen what is chosen
        </button>{' '}
        <button type="button" disabled={widest.value === undefined} onClick={() => (widest.value = undefined)}>
          <kbd>0</kbd> Show all
        </button>
      </p>
      {children}
      <FlameCanvas id="flame" root={nodes.at(-1)!} above={nodes.slice(0, -1)} kind={kind} label={label} />
      <aside class="details" aria-label="What is chosen">
        {path === undefined ? (
          <p class="faint">Nothing is chosen: click at a function, or press an arrow key.</p>
        ) : (
          <>
            <p>{kind.textOf(path.at(-1)!, root.total)}</p>
            {path.at(-1)!.func >= 0 && func !== undefined && (
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
