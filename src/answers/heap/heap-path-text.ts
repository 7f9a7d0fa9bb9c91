import { visible } from '../../base/visible.js';
import { fileText, type PlaceStyle, placeText } from '../place-text.js';
import type { HeapName, HeapStep } from './heap-answer.js';

/** `listener()  lib/session.mjs:8`: what objects are called by, and the place of the function or of the class. */
export function heapNameText(name: HeapName, style: PlaceStyle, gap = ' '): string {
  const text = `${shortText(name)}${name.package === undefined ? '' : ` [${oneLine(visible(name.package))}]`}`;
  return name.place === undefined || name.package === 'node' ? text : `${text}${gap}${placeText(name.place, style)}`;
}

const shortText = ({ kind, name }: HeapName): string =>
  `${kind === 'call' ? 'call of ' : ''}${oneLine(visible(name))}${kind === 'function' ? '()' : ''}`;

/** `bus of lib/session.mjs -> EventEmitter#_events -> Object#update -> Array[*]`: who holds it, in the words of the source. */
export const pathText = (steps: readonly HeapStep[], style: PlaceStyle): string =>
  steps.map((step) => stepText(step, style)).join(' -> ');

function stepText(step: HeapStep, style: PlaceStyle): string {
  const name = oneLine(visible(step.name));
  const again = step.isRepeated ? ' ...' : '';
  if (step.of === undefined) return rootText(step, name, style) + again;
  const isSource = step.of.kind === 'function' || step.of.kind === 'call';
  const of = isSource ? heapNameText(step.of, style) : shortText(step.of);
  return HOLDING[step.how](of, name) + again;
}

const HOLDING: Readonly<Record<HeapStep['how'], (of: string, name: string) => string>> = {
  variable: (of, name) => `${of} (${name === '*' ? 'a variable' : `variable ${name}`})`,
  property: (of, name) => `${of}#${name}`,
  element: (of) => `${of}[*]`,
  entry: (of, name) => `${of === name || name === '' ? of : `${of}, ${name}`} entry`,
  internal: (of, name) => `${of} (${name === '' || name === '*' ? 'inside' : name})`,
  root: (of) => of,
};

function rootText({ how, module }: HeapStep, name: string, { folder }: PlaceStyle): string {
  if (how === 'variable' && module !== undefined) return `${name} of ${fileText(module, folder)}`;
  if (how === 'variable') return `variable ${name}`;
  return name === '' ? 'V8' : name === '*' ? 'other ways' : name;
}

const oneLine = (text: string): string => text.replace(/[\n\t]/g, '_');
