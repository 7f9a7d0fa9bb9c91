import { CallTexts, type ScriptPosition } from './call-texts.js';
import type { InspectorData, InspectorThread } from './inspector-thread.js';
import { readStack } from './read-stack.js';
import type { RawStack } from './stack-expression.js';
import { VARIABLES_EXPRESSION, VARIABLES_READ_EXPRESSION, type VariableText } from './variables-expression.js';

/** The most calls whose variables are read, from the inner end of a stack: each takes a tenth of a millisecond. */
const MOST_CALLS = 60;
/** Evaluates as a console does: with `require`, and without telling other debuggers of what is thrown. */
const CONSOLE = { includeCommandLineAPI: true, silent: true } as const;
/** Milliseconds until a thread that ran a moment ago is no longer expected to pause. */
const PAUSING = 100;
/** The longest that is waited for an answer of a thread that is held, in milliseconds. */
const HOLDING = 2000;
/** Milliseconds after which a thread that stood still already is held by somebody who does not just look, as this does. */
const LOOKING = 150;

interface Scope {
  readonly type: string;
  readonly object: { readonly objectId?: string };
}
interface CallFrame {
  readonly location: ScriptPosition;
  readonly functionLocation?: ScriptPosition;
  readonly scopeChain: readonly Scope[];
}

/** The variables of a call. */
export interface CallVariables {
  /** The line of the text at which the call is. */
  readonly line: number;
  /** Where the function begins in the text: from 1. Absent: V8 does not say. */
  readonly from?: { readonly line: number; readonly column: number };
  readonly parameters: readonly VariableText[];
  readonly locals: readonly VariableText[];
}

/** A stack with the variables of its calls. */
export interface PausedStack {
  readonly stack: RawStack;
  /** Variables of the calls in a text, without built-in functions, innermost first; not of all if there are many. */
  readonly calls: readonly CallVariables[];
  /** The URLs of source maps as texts name them, by the URLs of texts. */
  readonly sourceMaps: ReadonlyMap<string, string>;
  /** Whether another debugger holds the thread. */
  readonly isHeld: boolean;
}

/** How a thread is held. */
export interface PauseRequest {
  /** Whether variables are wanted that are no parameters. */
  readonly withLocals: boolean;
  /** Whether texts of the program have fentry's sites. */
  readonly areInstrumented: boolean;
  /** Resolves when the thread must go on at once. */
  readonly over: Promise<void>;
  /** How many calls have their variables read, from the inner end; absent: MOST_CALLS. */
  readonly mostCalls?: number;
  /** The longest text, in characters, of which parameters are told from other variables; absent: that of CallTexts. */
  readonly longestText?: number;
}

/** The scopes of the call itself, the innermost first: what stands around the function is not its own. */
function ownScopes({ scopeChain }: CallFrame): readonly Scope[] {
  const local = scopeChain.findIndex(({ type }) => type === 'local');
  const scopes = local < 0 ? [] : scopeChain.slice(0, local + 1);
  // The scope of a `with` is an object of the program's.
  return scopes.filter(({ type }) => type !== 'with');
}

const resultOf = (answer: InspectorData | undefined): unknown =>
  (answer?.['result'] as { readonly value?: unknown } | undefined)?.value;

/** An evaluation that only has V8 take a pause that was asked for before: the debugger is not enabled, so nothing comes of it. */
const TAKE_OLD_PAUSE = '(() => {})()';

/**
 * Holds a thread for a moment, and reads its stack and its variables. A thread that another debugger holds stays held. Undefined:
 * it did not stop, because it had just ended what it did.
 *
 * What is asked while it is held is sent at once, and behind that what lets it go on: it is held no longer than it takes to
 * answer, whatever becomes of this side.
 */
export async function pausedStack(session: InspectorThread, request: PauseRequest): Promise<PausedStack | undefined> {
  if (!(await session.hold(request.over))) return undefined;
  try {
    return await heldStack(session, request);
  } finally {
    session.letGo();
  }
}

async function heldStack(
  session: InspectorThread,
  { withLocals, areInstrumented, over, mostCalls = MOST_CALLS, longestText }: PauseRequest,
): Promise<PausedStack | undefined> {
  const texts = new CallTexts(session, areInstrumented, longestText);
  let isEnabled = false;
  let isHeld = false;
  const paused = new Promise<readonly CallFrame[]>((resolve) =>
    session.on('Debugger.paused', ({ callFrames }) => {
      // Only of a thread that stands still already it is told before the debugger is enabled.
      isHeld ||= !isEnabled;
      resolve(callFrames as readonly CallFrame[]);
    }),
  );
  void quiet(session.ask('Runtime.evaluate', { expression: TAKE_OLD_PAUSE, silent: true }));
  session.send('Debugger.enable', {}, () => {
    isEnabled = true;
  });
  const reader = quiet(session.ask('Runtime.evaluate', { ...CONSOLE, expression: VARIABLES_EXPRESSION }));
  const stack = readStack(session).catch(() => undefined);
  const asked = quiet(session.ask('Debugger.pause')).then(() => waiting(PAUSING));
  const frames = await Promise.race([paused, asked, over.then(() => undefined)]);
  const made = await Promise.race([reader, over.then(() => undefined), waiting(HOLDING)]);
  const { objectId } = (made?.['result'] ?? {}) as { readonly objectId?: string };
  const calls = frames && objectId ? readCalls(session, frames.slice(0, mostCalls), { objectId, withLocals }) : undefined;
  // Nothing is evaluated while a pause may still come.
  if (frames === undefined) void quiet(session.ask('Debugger.disable'));
  void quiet(session.ask('Runtime.evaluate', { ...CONSOLE, expression: VARIABLES_READ_EXPRESSION }));
  if (frames !== undefined && !isHeld) void quiet(session.ask('Debugger.resume'));
  if (frames === undefined || !isHeld) session.letGo();
  if (frames === undefined) return undefined;
  texts.askFor(frames.slice(0, mostCalls).map(({ functionLocation }) => functionLocation?.scriptId));
  const resumed = new Promise<boolean>((resolve) => session.on('Debugger.resumed', () => resolve(false)));
  const isStill = isHeld && (await Promise.race([resumed, waiting(LOOKING).then(() => true)]));
  const all = Promise.all([stack, calls]).catch(() => undefined);
  const [found, read] = (await Promise.race([all, waiting(HOLDING)])) ?? [];
  void quiet(session.ask('Debugger.disable'));
  if (found === undefined || read === undefined) return undefined;
  await texts.part(read, withLocals);
  return { stack: found, calls: read, sourceMaps: texts.sourceMaps, isHeld: isStill };
}

const quiet = <T>(asked: Promise<T>): Promise<T | undefined> => asked.catch(() => undefined);

const waiting = (milliseconds: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds, undefined).unref());

/** The variables of a call, with the place of its function. Until they are parted, those of the function are `parameters`. */
interface ReadCall extends CallVariables {
  parameters: readonly VariableText[];
  locals: readonly VariableText[];
  readonly start: ScriptPosition | undefined;
}

/** @param options `objectId`: of the function that VARIABLES_EXPRESSION makes */
function readCalls(
  session: InspectorThread,
  frames: readonly CallFrame[],
  { objectId, withLocals }: { readonly objectId: string; readonly withLocals: boolean },
): Promise<readonly ReadCall[]> {
  const variablesOf = async ({ object }: Scope): Promise<readonly VariableText[]> => {
    const value = resultOf(
      await session.ask('Runtime.callFunctionOn', {
        functionDeclaration: 'function (read) { return read(this); }',
        objectId: object.objectId,
        arguments: [{ objectId }],
        returnByValue: true,
        silent: true,
      }),
    );
    return typeof value === 'string' ? (JSON.parse(value) as readonly VariableText[]) : [];
  };
  return Promise.all(
    frames.map(async (frame): Promise<ReadCall> => {
      const scopes = ownScopes(frame);
      const start = frame.functionLocation;
      const read = await Promise.all((withLocals ? scopes : scopes.slice(-1)).map(variablesOf));
      return {
        line: frame.location.lineNumber + 1,
        ...(start && { from: { line: start.lineNumber + 1, column: (start.columnNumber ?? 0) + 1 } }),
        start,
        parameters: read.at(-1) ?? [],
        locals: read.slice(0, -1).flat(),
      };
    }),
  );
}
