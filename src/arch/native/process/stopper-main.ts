/**
 * Changes the text of the process that started this one, and looks at its stacks, while all of its threads are stopped: a process cannot stop itself and go on. Takes a
 * StopRequest on stdin, prints a StopAnswer.
 */
import { readFileSync } from 'node:fs';
import { asTraceError } from '../../../base/errno.js';
import { OwnProcess } from '../addon/own-process.js';
import { ProcessMemory } from './process-memory.js';
import { whileStopped } from './stop.js';
import { requestedChanges, type StopAnswer, type StopRequest } from './stopper.js';
import { idInside } from './tasks.js';
import { changeText } from './text-changes.js';
import { registersBy } from './thread-registers.js';
import { lookAtTransition } from './transition-look.js';

function answer(request: StopRequest): StopAnswer {
  try {
    const memory = new ProcessMemory(request.pid);
    const changes = requestedChanges(request);
    const registersOf = request.looks.length > 0 ? registersBy(new OwnProcess()) : undefined;
    return whileStopped(request.pid, ({ threads }) => ({
      looked: request.looks.map((look) => lookAtTransition(memory, threads, look, idInside, registersOf)),
      changes: changeText(memory, threads, changes),
    }));
  } catch (error) {
    const { errno, message } = asTraceError(error);
    return { errno, message };
  }
}

process.stdout.write(JSON.stringify(answer(JSON.parse(readFileSync(0, 'utf8')))));
