import { useComputed } from '@preact/signals';
import { stacks } from './counted.js';
import { PLAIN_NODES } from './flame-choice.js';
import { FlamePanel } from './flame-panel.js';
import { flameOrder, functionName } from './state.js';

/** The flame graph of what is selected. */
export function FlameView() {
  const root = useComputed(() => stacks.value.root(flameOrder.value, functionName)).value;
  return <FlamePanel root={root} nodes={PLAIN_NODES} label="Flame graph" />;
}
