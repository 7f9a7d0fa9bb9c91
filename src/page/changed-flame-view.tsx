import { useComputed } from '@preact/signals';
import { changeText } from '../answers/diff/change-words.js';
import type { ComparedNode } from '../timeline/compare-timelines.js';
import type { StackNode } from '../timeline/stacks.js';
import { chooseChange } from './actions.js';
import { changeColour, pixelOf } from './colours.js';
import { comparison } from './compared.js';
import type { FlameNodes } from './flame-choice.js';
import { FlamePanel } from './flame-panel.js';
import { flameOrder, side } from './state.js';
import { countText, timeText } from './time-text.js';

/** A smaller change has no bar: two runs of one program differ as much. */
const LEAST_SHOWN = 0.05;

const nameOf = (func: number): string => (func < 0 ? 'all' : comparison.value!.nameOf(func));

/** `+67 %`, `new`, `gone`: how the time of a stack has changed. */
function changeOf({ func, before, after }: ComparedNode): string {
  if (func < 0) return changeText(before.total, after.total);
  if (after.count === 0 && before.count > 0) return 'gone';
  return before.count === 0 ? 'new' : changeText(before.total, after.total);
}

/** The stacks of two recordings. */
const CHANGED_NODES: FlameNodes = {
  nameOf,
  noteOf: (node) => changeOf(node as ComparedNode),
  textOf(node: StackNode) {
    const { func, before, after } = node as ComparedNode;
    const calls = `calls ${countText(before.count)} → ${countText(after.count)}`;
    const total = `total ${timeText(before.total)} → ${timeText(after.total)}`;
    const self = `self ${timeText(before.self)} → ${timeText(after.self)}`;
    return `${nameOf(func)}: ${changeOf(node as ComparedNode)}; before → after: ${total}, ${self}, ${calls}`;
  },
  paintOf(node, { isDark }) {
    const { before, after } = node as ComparedNode;
    const sum = before.total + after.total;
    const part = sum === 0 ? 0 : (after.total - before.total) / sum;
    const colour = pixelOf(changeColour(part, isDark));
    const isChange = before.total === 0 || Math.abs(after.total / before.total - 1) >= LEAST_SHOWN;
    return isChange && part !== 0 ? { colour, bar: part > 0 ? 'upper' : 'lower' } : { colour };
  },
  isFound(index, hits) {
    const func = comparison.value!.functionOf(index, side.value);
    return func !== undefined && hits.has(func);
  },
  choose: chooseChange,
};

/** The flame graph of two recordings, coloured by change. */
export function ChangedFlameView() {
  const root = useComputed(() => comparison.value?.root(flameOrder.value)).value;
  if (root === undefined) return <p class="faint">There is one recording.</p>;
  return (
    <FlamePanel root={root} nodes={CHANGED_NODES} label="Flame graph of both recordings">
      <p class="legend">
        <span class="grown">▔ takes longer</span> <span class="shrunk">▁ takes less</span>{' '}
        <span class="equal">about the same</span> The width is the time in both recordings together, so what is new or gone is
        seen too; behind a name stands its change.
      </p>
    </FlamePanel>
  );
}
