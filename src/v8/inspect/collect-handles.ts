import type { Handle, HandleFunction, HandlesRequest, HandlesThread } from '../../answers/handles/handles-answer.js';
import { AuthorFrames } from './author-frames.js';
import { AuthorLines } from './author-lines.js';
import type { ThreadAsking } from './each-thread.js';
import { type PlacedFunction, placesOfFunctions } from './function-places.js';
import { type FoundHandle, type FoundHandles, HANDLE_MODULES, HANDLES } from './handles-expression.js';
import type { InspectorData, InspectorThread } from './inspector-thread.js';
import { askProgram } from './program-threads.js';
import type { RemoteValue } from './remote-text.js';
import { MOST_HEAP } from './thread-facts.js';

const GROUP = 'fentry.handles';
/** Milliseconds that a walk of the heap may take, if others are to follow that stop the thread as long. */
const QUICK = 1000;
const SLOW =
  'each walk of the heap stops the thread for more than a second, and another one is needed; with --force (answers/handles_forced) it is made';

const NOTHING = { stoppedMs: 0, hasOrigins: false, handles: [] } as const;

/** The handles of each thread. */
export async function collectHandles(
  main: InspectorThread,
  asking: ThreadAsking & HandlesRequest,
): Promise<readonly HandlesThread[]> {
  const authors = { frames: new AuthorFrames(), lines: new AuthorLines() };
  return askProgram<HandlesThread>(main, asking, NOTHING, async ({ thread, name, session, heap, inTime }) => {
    try {
      const found = await inTime(handlesOf(session, authors, heap, asking.force));
      return found === undefined ? undefined : { thread, name, ...found };
    } catch (error) {
      const silence = `does not tell: ${error instanceof Error ? error.message : String(error)}`;
      return { thread, name, silence, ...NOTHING };
    } finally {
      void session.ask('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => {});
    }
  });
}

interface Authors {
  readonly frames: AuthorFrames;
  readonly lines: AuthorLines;
}

const remote = (answer: InspectorData | undefined, name = 'result'): RemoteValue | undefined =>
  answer?.[name] as RemoteValue | undefined;

/** Properties of an object of the thread, by their names. */
async function partsOf(session: InspectorThread, objectId: string | undefined): Promise<ReadonlyMap<string, RemoteValue>> {
  const answer = await session.ask('Runtime.getProperties', { objectId, ownProperties: true });
  const parts = (answer?.['result'] ?? []) as readonly { readonly name: string; readonly value?: RemoteValue }[];
  return new Map(parts.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])));
}

/** The list of objects that have this prototype: its id. Undefined: none is known. */
async function objectsOf(session: InspectorThread, prototype: string | undefined): Promise<string | undefined> {
  if (prototype === undefined) return undefined;
  const listed = await session.ask('Runtime.queryObjects', { prototypeObjectId: prototype, objectGroup: GROUP });
  return remote(listed, 'objects')?.objectId;
}

/** Whether there are workers among what Node wraps. */
async function hasWorkers(session: InspectorThread, wraps: string): Promise<boolean> {
  const answer = await session.ask('Runtime.callFunctionOn', {
    objectId: wraps,
    functionDeclaration:
      'function () { return this.some((one) => Object.getOwnPropertyDescriptor(one, "threadId")?.value !== undefined); }',
    returnByValue: true,
    silent: true,
  });
  return remote(answer)?.value === true;
}

async function handlesOf(
  session: InspectorThread,
  authors: Authors,
  heap: number,
  force: boolean,
): Promise<Omit<HandlesThread, 'thread' | 'name'>> {
  const isTooLarge = heap > MOST_HEAP && !force;
  const modules = remote(
    await session.ask('Runtime.evaluate', {
      expression: HANDLE_MODULES,
      includeCommandLineAPI: true,
      silent: true,
      objectGroup: GROUP,
    }),
  )?.objectId;
  const prototypes = isTooLarge ? undefined : await partsOf(session, modules);
  const began = performance.now();
  const objects = (name: string): Promise<string | undefined> => objectsOf(session, prototypes?.get(name)?.objectId);
  const isQuick = (walks: number): boolean => !isTooLarge && (force || performance.now() - began < walks * QUICK);
  const timers = await objects('timers');
  const wraps = isQuick(1) ? await objects('wraps') : undefined;
  const workers = wraps !== undefined && isQuick(2) && (await hasWorkers(session, wraps)) ? await objects('workers') : undefined;
  const stoppedMs = isTooLarge ? 0 : performance.now() - began;
  const answer = await session.ask('Runtime.callFunctionOn', {
    objectId: timers ?? modules,
    functionDeclaration: timers === undefined ? `function (modules) { return (${HANDLES}).call(null, modules); }` : HANDLES,
    arguments: [modules, wraps, workers].map((objectId) => (objectId === undefined ? {} : { objectId })),
    silent: true,
    objectGroup: GROUP,
  });
  const parts = await partsOf(session, remote(answer)?.objectId);
  const { handles, hasOrigins } = JSON.parse(String(parts.get('json')?.value)) as FoundHandles;
  const functions = await placesOfFunctions(session, parts.get('functions')?.objectId ?? '');
  const told = handles.map((handle) => handleOf(handle, functions[handle.calls], authors));
  return {
    ...(isTooLarge && {
      noTimers: `the heap has ${Math.round(heap / 1e6)} MB, and looking for them stops the thread; with --force (answers/handles_forced) they are`,
    }),
    ...(!isTooLarge && wraps === undefined && { noUnrefed: SLOW }),
    stoppedMs,
    hasOrigins,
    handles: [...told.filter(({ keeps }) => keeps), ...told.filter(({ keeps }) => !keeps)],
  };
}

function handleOf(
  { kind, keeps, what, made }: FoundHandle,
  called: PlacedFunction | undefined,
  { frames, lines }: Authors,
): Handle {
  return {
    kind,
    keeps,
    what,
    ...(called && { calls: calledFunction(called, { frames, lines }) }),
    ...(made && { made: { ageMs: made.ageMs, stack: made.frames.map((frame) => frames.frame(frame)) } }),
  };
}

function calledFunction({ inside, variables, ...at }: PlacedFunction, { frames, lines }: Authors): HandleFunction {
  const frame = frames.frame({ ...at, isAsync: false });
  const source = frame.place && lines.at(frame.place);
  // Around a function of Node's stands its module, which says nothing.
  const isNode = frame.package === 'node';
  return {
    ...frame,
    ...(inside !== '' && { inside }),
    ...(source !== undefined && { source }),
    variables: isNode ? [] : variables,
  };
}
