import type { Worker } from 'node:worker_threads';
import { AtomicsAdd as add, AtomicsLoad as load } from '../../base/primordials.js';
import { say } from '../../base/say.js';
import { isMain } from '../../base/thread-id.js';
import { orWithOwnBuiltIns, withOwnBuiltIns } from '../realm/own-built-ins.js';
import { watchProcess } from '../realm/process-events.js';
import type { Realm } from '../realm/realm.js';
import type { Undo } from '../realm/undo.js';
import { type ControlBlock, heardSignalWord, WORD } from '../shared/control-block.js';
import type { AttachedCells } from './attached-cells.js';
import { followKills } from './before-kill.js';
import type { ControlStarter } from './control-starter.js';
import { oops, stopAtWarning } from './oops.js';
import type { ProgramInterface } from './program-interface.js';
import type { ProgramThread } from './program-thread.js';
import { correctNodesStack, showAuthorsLine, type TextsOfStacks } from './uncaught-error.js';
import { correctMapLookups } from './unsettled-await.js';
import { awaitSessionEnd, endsItself } from './worker-end.js';

/**
 * Counts the signals that the program's listeners hear, before the first of them runs: the control thread cannot see that a
 * listener of `process.once` was there. Node emits the event with the name of the signal and its number, which a program that
 * emits it leaves out.
 */
const countHeardSignals = (block: ControlBlock): Undo =>
  watchProcess({
    before(name, details) {
      const signal = details[1];
      if (typeof name !== 'string' || typeof signal !== 'number') return;
      const word = heardSignalWord(signal);
      if (word >= WORD.HEARD_SIGNALS) add(block, word, 1);
    },
  });

/** Called after an event of `process`: whether it had listeners, and its arguments. */
type AfterEvent = (heard: boolean, details: readonly unknown[]) => void;

/**
 * Calls functions after an event of `process`, by the event's name, when the program's own listeners have run. Listeners of
 * fentry would run before theirs, and be counted with them.
 * @returns a function that ends it
 */
function afterEvents(followers: Readonly<Record<string, AfterEvent>>): () => void {
  const followerOf: Readonly<Record<string | symbol, AfterEvent | undefined>> = { __proto__: null as never, ...followers };
  return watchProcess({ after: (name, heard, details) => followerOf[name]?.(heard, details) });
}

/** The parts that react to events of the program's process. */
export interface FollowingNeeds {
  readonly thread: ProgramThread;
  readonly program: ProgramInterface;
  readonly realm: Realm;
  /** In the thread that starts the control thread. */
  readonly control: ControlStarter | undefined;
  readonly attachedCells: AttachedCells | undefined;
  /** The agent was attached to a running program, whose workers do not get an agent by themselves. */
  readonly isAttached: boolean;
  /** The folder of the recording that the process is part of. */
  readonly recording: string | undefined;
  /** The control thread hears signals, and completes something before they end the process. */
  readonly isSignalHeard: boolean;
  /** The program has run its last code. */
  readonly programEnded: () => void;
  /** So has the agent. */
  readonly agentEnded: () => void;
}

/**
 * Follows the events of the program's process: its end, warnings, uncaught errors, and workers. Returns a function that ends
 * this.
 */
export function followProgram(parts: FollowingNeeds): () => void {
  const { thread, program, realm, control, attachedCells, isAttached, recording, isSignalHeard, programEnded, agentEnded } =
    parts;
  const forgetKills = recording === undefined && !isSignalHeard ? undefined : followKills(recording, isMain());
  const forgetSignals = (recording === undefined && !isSignalHeard) || !isMain() ? undefined : countHeardSignals(thread.block);
  let forgetMaps: Undo | undefined;
  const forgetEvents = afterEvents({
    ...(isAttached && {
      worker: (_heard, details) => thread.tell({ type: 'worker', threadId: (details[0] as Worker).threadId }),
    }),
    beforeExit() {
      if (process.sourceMapsEnabled) tried(() => (forgetMaps ??= correctMapLookups(realm.texts)));
    },
    exit() {
      // Each separately: the program may have broken what one of them needs, and must still end as it would without fentry.
      tried(() => attachedCells?.end());
      tried(programEnded);
      tried(() => endsItself(thread.block, thread.cpu));
      if (isMain()) tried(() => awaitSessionEnd(thread.block));
      tried(() => thread.tell({ type: 'end' }));
      tried(() => control?.end(() => thread.flush()));
      tried(agentEnded);
    },
    warning() {
      if (load(thread.block, WORD.TRACEOFF_ON_WARNING) !== 0) tried(() => stopAtWarning(program));
    },
    uncaughtException(heard, details) {
      if (heard || !isMain()) return;
      const error = details[0];
      tried(() => oops(thread));
      const texts: TextsOfStacks = {
        lengthOf: (file) => realm.texts.get(file)?.length,
        names: () => realm.texts.names(),
        stacksMade: realm.stacksMade,
        isOwn: (file) => realm.texts.isOwn(file),
        mapLocations: (line) => realm.texts.mapLocations(line),
      };
      withOwnBuiltIns(() => {
        correctNodesStack(error, texts);
        showAuthorsLine(error, details[1] === 'unhandledRejection', texts);
      });
    },
  });
  return () => {
    forgetEvents();
    forgetMaps?.();
    forgetKills?.();
    forgetSignals?.();
  };
}

/** Runs code of fentry that must not end the program: a failure is only reported. */
export function tried(step: () => void): void {
  try {
    orWithOwnBuiltIns(step);
  } catch (error) {
    say(`could not end tracing well: ${(error as Error)?.stack ?? error}`);
  }
}
