import type { InspectorThread } from './inspector-thread.js';
import { type RemoteValue, remoteText } from './remote-text.js';

interface RemoteProperty {
  readonly name: string;
  readonly value?: RemoteValue;
}

/** A function, as the inspector shows it. */
export interface PlacedFunction {
  readonly name: string;
  readonly url: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The function that made it; '' for none, or one without a name. */
  readonly inside: string;
  /** The variables of that function which this one uses. */
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

/** The scope of a function around another one: `Closure (reporter)`. */
const CLOSURE = /^Closure(?: \((.*)\))?$/s;
/** What Node's functions call the program's that they call at the end. */
const CALLED = /^(?:callback|cb)$/;
/** How many of Node's functions, one called by the other, may stand before the program's. */
const DEEPEST = 4;
/** Scopes of one of them that are looked into. */
const MOST_SCOPES = 2;
/** The most functions that are looked at. */
const MOST = 300;

/** Finds out where functions of a thread are defined, and by whom. @param list the inspector's id of a list of them */
export async function placesOfFunctions(
  session: InspectorThread,
  list: string,
): Promise<readonly (PlacedFunction | undefined)[]> {
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ scriptId, url }) => void urls.set(String(scriptId), String(url)));
  await session.ask('Debugger.enable');
  try {
    const functions = (await propertiesOf(session, list)).filter(({ name }) => /^\d+$/.test(name)).slice(0, MOST);
    return await Promise.all(functions.map(({ value }) => placeOf(session, value, urls)));
  } finally {
    session.on('Debugger.scriptParsed', undefined);
    void session.ask('Debugger.disable').catch(() => {});
  }
}

async function placeOf(
  session: InspectorThread,
  value: RemoteValue | undefined,
  urls: ReadonlyMap<string, string>,
  depth = 0,
): Promise<PlacedFunction | undefined> {
  if (value?.objectId === undefined) return undefined;
  const answer = await session.ask('Runtime.getProperties', { objectId: value.objectId, ownProperties: true });
  const internal = new Map(
    ((answer?.['internalProperties'] ?? []) as readonly RemoteProperty[]).map((one) => [one.name, one.value]),
  );
  const named = ((answer?.['result'] ?? []) as readonly RemoteProperty[]).find(({ name }) => name === 'name')?.value?.value;
  const target = internal.get('[[TargetFunction]]');
  const bound = internal.get('[[BoundArgs]]');
  if (target !== undefined) {
    const found = await placeOf(session, target, urls, depth);
    return (isNodes(found) && (await calledBy(session, bound, /^\d+$/, urls, depth))) || found;
  }
  const at = internal.get('[[FunctionLocation]]')?.value as
    | { readonly scriptId: string; readonly lineNumber: number; readonly columnNumber: number }
    | undefined;
  if (at === undefined) return undefined;
  const scopes = internal.get('[[Scopes]]')?.objectId;
  const url = urls.get(at.scriptId) ?? '';
  if (url.startsWith(NODE) && depth < DEEPEST && scopes !== undefined) {
    for (const { value: scope } of (await propertiesOf(session, scopes)).slice(0, MOST_SCOPES)) {
      const called = await calledBy(session, scope, CALLED, urls, depth);
      if (called !== undefined) return called;
    }
  }
  const scope = await closureOf(session, scopes);
  return {
    name: typeof named === 'string' ? named : '',
    url,
    line: at.lineNumber + 1,
    column: at.columnNumber + 1,
    ...scope,
  };
}

const NODE = 'node:';
const isNodes = (found: PlacedFunction | undefined): boolean => found?.url.startsWith(NODE) === true;

/** The program's function among the values that one of Node's has by names of this form; undefined: there is none. */
async function calledBy(
  session: InspectorThread,
  holder: RemoteValue | undefined,
  names: RegExp,
  urls: ReadonlyMap<string, string>,
  depth: number,
): Promise<PlacedFunction | undefined> {
  if (holder?.objectId === undefined || depth >= DEEPEST) return undefined;
  for (const { name, value } of await propertiesOf(session, holder.objectId)) {
    if (value?.type !== 'function' || !names.test(name)) continue;
    const found = await placeOf(session, value, urls, depth + 1);
    if (found !== undefined && !isNodes(found)) return found;
  }
  return undefined;
}

/** The innermost scope around a function that is another function's. */
async function closureOf(
  session: InspectorThread,
  scopes: string | undefined,
): Promise<Pick<PlacedFunction, 'inside' | 'variables'>> {
  const found = scopes === undefined ? [] : await propertiesOf(session, scopes);
  for (const { value } of found) {
    const [closure, inside = ''] = CLOSURE.exec(value?.description ?? '') ?? [];
    if (closure === undefined || value?.objectId === undefined) continue;
    const variables = (await propertiesOf(session, value.objectId)).flatMap(({ name, value: variable }) =>
      variable === undefined ? [] : [{ name, value: remoteText(variable) }],
    );
    return { inside, variables };
  }
  return { inside: '', variables: [] };
}

async function propertiesOf(session: InspectorThread, objectId: string): Promise<readonly RemoteProperty[]> {
  const answer = await session.ask('Runtime.getProperties', { objectId, ownProperties: true, generatePreview: true });
  return (answer?.['result'] ?? []) as readonly RemoteProperty[];
}
