import type { BreakpointFunction, ScriptPlace, ScriptSpan } from './breakpoint-text.js';
import type { BreakLocation, DebuggerSession } from './debugger-session.js';
import { unpausing } from './probe-condition.js';

/** Properties of the global object that conditions call while there are breakpoints. */
export const HIT = '$fentryHit';
export const LEAVE = '$fentryLeave';

const at = (scriptId: string, { line, column }: ScriptPlace) => ({ scriptId, lineNumber: line, columnNumber: column });

const isBefore = ({ lineNumber, columnNumber = 0 }: BreakLocation, { line, column }: ScriptPlace): boolean =>
  lineNumber < line || (lineNumber === line && columnNumber < column);
const isIn = (place: BreakLocation, { start, end }: ScriptSpan): boolean => !isBefore(place, start) && isBefore(place, end);

/** The places of a function of a text without sites, from its body's first statement on. */
export const possiblePlaces = (
  session: DebuggerSession,
  scriptId: string,
  { start, end, inner }: Pick<BreakpointFunction, 'start' | 'end' | 'inner'>,
): readonly BreakLocation[] =>
  session.locations(at(scriptId, start), at(scriptId, end)).filter((place) => !inner.some((one) => isIn(place, one)));

/**
 * Puts breakpoints at a function's entry and at its returns, in one script. Their conditions call HIT and LEAVE.
 * Returns the breakpoints' ids; none if V8 knows no place.
 */
export function placeBreakpoints(
  session: DebuggerSession,
  scriptId: string,
  n: number,
  one: BreakpointFunction,
): readonly string[] {
  const places = possiblePlaces(session, scriptId, one);
  const entry = places[0];
  if (entry === undefined) return [];
  const ids: (string | undefined)[] = [];
  const enter = `${HIT}(${n}${one.passes === '' ? '' : `,${one.passes}`})`;
  const leave = `${LEAVE}(${n})`;
  const returns = one.isCoroutine ? [] : places.filter(({ type }) => type === 'return');
  // In a function without statements, the entry is at the return.
  ids.push(session.setBreakpoint(entry, unpausing(...(returns.includes(entry) ? [enter, leave] : [enter]))));
  for (const place of returns) if (place !== entry) ids.push(session.setBreakpoint(place, unpausing(leave)));
  return ids.filter((id) => id !== undefined);
}
