import { computed } from '@preact/signals';
import { functionTable } from '../timeline/function-table.js';
import { MergedStacks } from '../timeline/stacks.js';
import { countedRange, recording, revision } from './state.js';

/** The stacks and the functions of what is selected; each is made when a view asks for it. */
export const stacks = computed(() => {
  revision.value;
  return new MergedStacks(recording.value!, countedRange.value);
});
export const functionRows = computed(() => {
  revision.value;
  return functionTable(recording.value!, countedRange.value);
});
