/** The property of the global object that conditions of probes call while there are any. */
export const PROBE_HIT = '$fentryProbe';

/**
 * The condition of a spot: calls PROBE_HIT with the spot's number, with what gives the values of all names at once, and with what
 * gives them one by one. V8 compiles a condition at each hit, so the second is only parsed, unless a name has no value.
 * @param checksThis also pass what gives `this`
 */
export function conditionOf(spot: number, names: readonly string[], checksThis: boolean): string {
  const own = checksThis ? ',()=>this' : '';
  if (names.length === 0) return `${PROBE_HIT}(${spot},0,0${own})`;
  return `${PROBE_HIT}(${spot},()=>[${names}],()=>[${names.map((name) => `()=>${name}`)}]${own})`;
}

/** Words that look like names and are none; the rest of the reserved ones are syntax errors, which cost only their own value. */
const NO_NAMES = new Set(
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in ' +
    'instanceof new null return super switch throw true try typeof var void while with await yield let static implements interface ' +
    'package private protected public'
  ).split(' '),
);

/** Whether a condition can read this: a variable's name or `this`. */
export function isReadable(name: string): boolean {
  // In the function, because V8 takes half a millisecond for this expression, which most programs do not need.
  const isIdentifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name);
  return name === 'this' || (isIdentifier && !NO_NAMES.has(name));
}
