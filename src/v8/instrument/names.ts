import { keyName, lastName } from './expression-names.js';
import type { AnyNode } from './parse.js';
import { classNameAt, type NameOrigin, ownerOf, placeOf } from './places.js';
import { joinSymbol, symbolPart } from './symbol-text.js';
import type { Walk } from './walk.js';

const ACCESSORS = new Set(['get', 'set']);

/** The symbol of a function, by the rules of docs/symbols.md. `definition` is what kinds.ts finds. */
export function nameFunction(walk: Walk, node: AnyNode, definition: AnyNode | undefined): NameOrigin {
  const at = walk.ancestors.length - 1;
  if (definition) return nameMethod(walk, at, definition);
  if (node.type === 'FunctionDeclaration') return { name: symbolPart(node.id?.name ?? 'default'), placed: false };
  const place = placeOf(walk, at, node);
  if (!node.id) return accessorOf(walk, at, place);
  const own = symbolPart(node.id.name);
  return { name: !place.placed && lastName(place.name) === own ? place.name : own, placed: false };
}

function nameMethod(walk: Walk, at: number, definition: AnyNode): NameOrigin {
  const accessor = ACCESSORS.has(definition.kind) ? definition.kind : '';
  const key = keyName(definition.key, definition.computed);
  const owner = definition.type === 'Property' ? ownerOf(walk, at - 1) : { name: classNameAt(walk, at - 2), placed: false };
  const place = { name: joinSymbol(owner.name, accessor, key), placed: owner.placed };
  return definition.method ? accessorOf(walk, at, place) : place;
}

/** A getter in a property descriptor, `Object.defineProperty(exports, 'x', { get: function () {...} })`, is `get.x`. */
function accessorOf(walk: Walk, at: number, place: NameOrigin): NameOrigin {
  const accessor = lastName(place.name);
  if (!ACCESSORS.has(accessor)) return place;
  const call = walk.ancestors[at - 2];
  if (call?.type !== 'CallExpression' || call.callee.property?.name !== 'defineProperty') return place;
  const path = place.name.split('.').slice(0, -1);
  return { name: joinSymbol(...path.slice(0, -1), accessor, path.at(-1) ?? ''), placed: place.placed };
}

/** A name with the place of what it names. */
export interface PlacedName extends NameOrigin {
  name: string;
  readonly line: number;
  readonly column: number;
}

/** Gives names from places their line, and their column if one line has several with the same name. */
export function withLines(places: readonly PlacedName[]): void {
  const counts = new Map<string, number>();
  for (const one of places) {
    if (one.placed) one.name = `${one.name}@${one.line}`;
    if (one.placed) counts.set(one.name, 0);
  }
  if (counts.size > 0) count(places, counts);
  for (const one of places) {
    if (one.placed && (counts.get(one.name) ?? 0) > 1) one.name = `${one.name}.${one.column}`;
    if (beginsWithDigit(one.name)) one.name = `_${one.name}`;
  }
}

/** Counts those names that `counts` has. */
function count(places: readonly PlacedName[], counts: Map<string, number>): void {
  for (const { name } of places) {
    const known = name.includes('@') ? counts.get(name) : undefined;
    if (known !== undefined) counts.set(name, known + 1);
  }
}

function beginsWithDigit(name: string): boolean {
  const code = name.charCodeAt(0);
  return code >= 0x30 && code <= 0x39;
}
