/**
 * Changes the text of the process that started this one, and looks at its stacks, while all of its threads are stopped: a process
 * cannot stop itself and go on. Takes a StopRequest on stdin, prints a StopAnswer.
 */
import { readFileSync } from 'node:fs';
import { asTraceError } from '../../base/errno.js';
import { pause } from '../../base/pause.js';
import { LocalProcess } from '../addon/local-process.js';
import { ProcessMemory } from './process-memory.js';
import { BETWEEN_SLICES, SliceSize } from './slice-size.js';
import { whileStopped } from './stop.js';
import { requestedChanges, type StopAnswer, type StopRequest } from './stopper.js';
import { idInside } from './tasks.js';
import { type ChangeState, changeText } from './text-changes.js';
import { registersBy } from './thread-registers.js';
import { type Looked, lookAtTransition } from './transition-look.js';

function answer(request: StopRequest): StopAnswer {
  try {
    const memory = new ProcessMemory(request.pid);
    const changes = requestedChanges(request);
    const registersOf = request.looks.length > 0 ? registersBy(new LocalProcess()) : undefined;
    const slices = new SliceSize();
    const states: ChangeState[] = [];
    const looked: Looked[] = [];
    do {
      if (states.length > 0) pause(BETWEEN_SLICES);
      const slice = changes.slice(states.length, states.length + slices.changes);
      whileStopped(request.pid, ({ threads }) => {
        if (states.length === 0) {
          for (const look of request.looks) looked.push(lookAtTransition(memory, threads, look, idInside, registersOf));
        }
        const began = performance.now();
        states.push(...changeText(memory, threads, slice));
        slices.took(slice.length, performance.now() - began);
      });
    } while (states.length < changes.length);
    return { looked, changes: states };
  } catch (error) {
    const { errno, message } = asTraceError(error);
    return { errno, message };
  }
}

process.stdout.write(JSON.stringify(answer(JSON.parse(readFileSync(0, 'utf8')))));
