import * as allocations from '../../answers/allocations/allocations-answer.js';
import * as heap from '../../answers/heap/heap-answer.js';
import type { Inspect } from '../../port/inspect.js';
import type { TraceNode } from '../tracefs/node.js';
import { askable } from './askable.js';
import { loadAnswers } from './load-answers.js';
import { timedFiles } from './timed-files.js';

/** The files about memory, which take some seconds to read: `allocations` and `heap`. */
export const memoryFiles = (inspect: () => Inspect | undefined): Readonly<Record<string, TraceNode>> => ({
  ...timedFiles({
    name: 'allocations',
    usual: allocations.DEFAULT_SECONDS,
    most: allocations.MOST_SECONDS,
    mayForce: false,
    begin() {
      const asked = askable(inspect());
      return ({ seconds, isJson }, closed) => loadAnswers().allocationsContent(asked, seconds, isJson, closed);
    },
  }),
  ...timedFiles({
    name: 'heap',
    usual: heap.DEFAULT_SECONDS,
    most: heap.MOST_SECONDS,
    mayForce: true,
    begin() {
      const asked = askable(inspect());
      return ({ seconds, force, isJson }, closed) => loadAnswers().heapContent(asked, { seconds, force }, isJson, closed);
    },
  }),
});
