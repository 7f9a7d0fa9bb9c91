import { SafeSet } from '../../base/safe-map.js';
import { PROBE_HIT } from '../shared/probe-hit.js';

/**
 * The condition that runs these expressions, and is no reason to pause. It throws, because V8 writes the frame's variables back
 * after a condition that has a value: one that is not initialized would count as initialized then, and with an empty `this`,
 * `super()` would fail.
 */
export const unpausing = (...expressions: readonly string[]): string => [...expressions, 'throw 0'].join(';');

/**
 * The condition of a spot: calls PROBE_HIT with the spot's number and the values of all names. If a name has none, it calls it
 * with the number's negative and a function that returns the value of the name with an index. V8 compiles a condition at each
 * hit: each function in it costs a tenth of the hit, so there is one for all names, and it is compiled only when it is called.
 */
export function conditionOf(spot: number, names: readonly string[]): string {
  const told = `${PROBE_HIT}(${[spot, ...names]})`;
  if (names.length === 0) return unpausing(told);
  const index = unusedName(names);
  const last = names.length - 1;
  const values = names.map((name, i) => (i === last ? name : `${index}===${i}?${name}:`)).join('');
  return unpausing(`try{${told}}catch{${PROBE_HIT}(-${spot},${index}=>${values})}`);
}

function unusedName(names: readonly string[]): string {
  let name = '$';
  while (names.some((one) => one.includes(name))) name += '$';
  return name;
}

/** Words that look like names and are none; the rest of the reserved ones are syntax errors, which cost only their own value. */
const NO_NAMES = new SafeSet(
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
