/** Labels, and the jumps to them. */
import { In, is } from './context';
import { Kind, Type } from './kinds';
import { refuse } from './memory';
import { identifier } from './names';
import { endOf, matters, node, set, startOf } from './nodes';
import { nameAt } from './scopes';
import { semicolon, statement } from './statements';
import { afterLine, kind, next, start } from './tokens';

/** Open labels: their name, whether it is a loop's, and where the statement begins that they label. */
const MOST_LABELS: i32 = 512;

const LABEL_BYTES: i32 = 12;

const labels: usize = memory.data(MOST_LABELS * LABEL_BYTES);

export let openLabels: i32 = 0;

/** The first of those of the current function. */
export let labelBase: i32 = 0;

export function setLabelBase(base: i32): void {
  labelBase = base;
}

export function beginLabels(): void {
  openLabels = 0;
  labelBase = 0;
}

function labelAt(index: i32): usize {
  return labels + index * LABEL_BYTES;
}

/** A name with a colon behind it, which is the current token. */
export function labeled(label: i32): i32 {
  const from = startOf(label);
  const name = nameAt(from, endOf(label));
  for (let i = labelBase; i < openLabels; i++) if (load<i32>(labelAt(i)) === name) refuse();
  if (openLabels >= MOST_LABELS) refuse();
  next();
  const isLoop = kind === Kind.For || kind === Kind.While || kind === Kind.Do;
  // Several labels of one statement.
  for (let i = openLabels - 1; i >= labelBase && load<i32>(labelAt(i), 8) === from; i--) {
    store<i32>(labelAt(i), isLoop ? 1 : 0, 4);
    store<i32>(labelAt(i), start, 8);
  }
  const at = labelAt(openLabels++);
  store<i32>(at, name);
  store<i32>(at, isLoop ? 1 : 0, 4);
  store<i32>(at, start, 8);
  const body = statement(true);
  openLabels--;
  const made = node(Type.LabeledStatement, from, 2);
  set(made, 0, label);
  set(made, 1, body);
  return made;
}

/** `break` or `continue`. */
export function jump(): i32 {
  const from = start;
  const isBreak = kind === Kind.Break;
  // Out of a `for await` it waits.
  if (is(In.ForAwait)) matters(from);
  next();
  let label = 0;
  if (kind === Kind.Name && !afterLine) {
    label = identifier();
    const name = nameAt(startOf(label), endOf(label));
    let i = openLabels - 1;
    while (i >= labelBase && load<i32>(labelAt(i)) !== name) i--;
    if (i < labelBase || (!isBreak && load<i32>(labelAt(i), 4) === 0)) refuse();
  } else if (!is(isBreak ? In.Breakable : In.Loop)) refuse();
  semicolon();
  const made = node(isBreak ? Type.BreakStatement : Type.ContinueStatement, from, 1);
  set(made, 0, label);
  return made;
}
