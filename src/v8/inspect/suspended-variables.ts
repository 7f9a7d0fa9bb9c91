import type { WaitingVariable } from '../../answers/waiting/waiting-answer.js';
import type { InspectorData, InspectorThread } from './inspector-thread.js';
import { type RemoteValue, remoteText } from './remote-text.js';

interface RemoteProperty {
  readonly name: string;
  readonly value?: RemoteValue;
}

/** A suspended call, as the inspector shows it. */
export interface SeenCall {
  /** Where it waits, in the text as loaded: from 1. */
  readonly at: { readonly line: number; readonly column: number } | undefined;
  /** Parameters, then locals. Empty unless they were asked for. */
  readonly variables: readonly WaitingVariable[];
}

/** Scopes of a function's own: its parameters and locals, and the variables of its blocks. */
const OWN_SCOPE = /^(?:Local|Block|Catch)\b/;
/** Variables that fentry has put into a text (text/prefix.ts). */
const HIDDEN = /^\$f\$*[a-z]+\d*$/;
/** The most variables of a call. */
const MOST = 20;
const GROUP = 'fentry.waiting';

/**
 * Looks at one suspended call. V8 walks the whole heap to find it.
 * @param heapId its number in the snapshot
 * @returns undefined if it is not suspended any more
 */
export async function readSuspended(session: InspectorThread, heapId: number, variables: boolean): Promise<SeenCall | undefined> {
  try {
    const found = await session.ask('HeapProfiler.getObjectByHeapObjectId', { objectId: String(heapId), objectGroup: GROUP });
    const { objectId } = (found?.['result'] ?? {}) as Partial<RemoteValue>;
    const answer = await session.ask('Runtime.getProperties', { objectId, ownProperties: true });
    const own = new Map(
      ((answer?.['internalProperties'] ?? []) as readonly RemoteProperty[]).map(({ name, value }) => [name, value]),
    );
    if (own.get('[[GeneratorState]]')?.value !== 'suspended') return undefined;
    const location = own.get('[[GeneratorLocation]]')?.value as
      | { readonly lineNumber: number; readonly columnNumber: number }
      | undefined;
    return {
      at: location && { line: location.lineNumber + 1, column: location.columnNumber + 1 },
      variables: variables ? await variablesOf(session, own.get('[[Scopes]]')?.objectId) : [],
    };
  } catch {
    // It has gone on, and is collected.
    return undefined;
  }
}

async function variablesOf(session: InspectorThread, scopes: string | undefined): Promise<readonly WaitingVariable[]> {
  if (scopes === undefined) return [];
  const variables: WaitingVariable[] = [];
  for (const { value } of await propertiesOf(session, scopes)) {
    if (value?.objectId === undefined || !OWN_SCOPE.test(value.description ?? '')) continue;
    for (const variable of await propertiesOf(session, value.objectId)) {
      if (variable.value === undefined || HIDDEN.test(variable.name)) continue;
      variables.push({ name: variable.name, value: remoteText(variable.value) });
    }
  }
  return variables.slice(0, MOST);
}

async function propertiesOf(session: InspectorThread, objectId: string): Promise<readonly RemoteProperty[]> {
  const answer: InspectorData | undefined = await session.ask('Runtime.getProperties', {
    objectId,
    ownProperties: true,
    generatePreview: true,
  });
  return (answer?.['result'] ?? []) as readonly RemoteProperty[];
}
