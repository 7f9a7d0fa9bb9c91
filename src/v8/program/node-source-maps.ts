import type { SourceMap } from 'node:module';
import { nodeModule } from '../loader/node-module.js';

/** How many texts are asked for their maps: those that were loaded last. */
const MOST = 200;

/** Texts with a source map that Node has read (`--enable-source-maps`), by their names in stacks; the newest comes first. */
export function* mappedTexts(names: readonly string[]): Generator<{ readonly name: string; readonly map: SourceMap }> {
  const { findSourceMap } = nodeModule();
  for (const name of names.slice(-MOST).reverse()) {
    const map = findSourceMap(name);
    if (map !== undefined) yield { name, map };
  }
}
