import { computed } from '@preact/signals';
import { ComparedTimelines } from '../timeline/compare-timelines.js';
import { both, chosenElsewhere, chosenFunction, side } from './state.js';

/** The two recordings compared; undefined: there is one. It is made when a view asks for it. */
export const comparison = computed(() =>
  both.value === undefined ? undefined : new ComparedTimelines(both.value.before, both.value.after),
);

/** The function of the comparison that is chosen. */
export const chosenChange = computed((): number | undefined => {
  const func = chosenFunction.value;
  return func === undefined || comparison.value === undefined
    ? chosenElsewhere.value
    : comparison.value.indexOf(side.value, func);
});
