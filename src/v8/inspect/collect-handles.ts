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
  const began = performance.now();
  const listed = isTooLarge
    ? undefined
    : await session.ask('Runtime.queryObjects', {
        prototypeObjectId: (await partsOf(session, modules)).get('timers')?.objectId,
        objectGroup: GROUP,
      });
  const stoppedMs = isTooLarge ? 0 : performance.now() - began;
  const timers = remote(listed, 'objects')?.objectId;
  const answer = await session.ask('Runtime.callFunctionOn', {
    objectId: timers ?? modules,
    functionDeclaration: timers === undefined ? `function (modules) { return (${HANDLES}).call(null, modules); }` : HANDLES,
    arguments: [{ objectId: modules }],
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
