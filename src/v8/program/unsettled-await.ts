import type { SourceMap } from 'node:module';
import { nodeModule } from '../loader/node-module.js';
import { captureStack } from '../realm/capture-stack.js';
import { replaceMethod } from '../realm/lookalike.js';
import type { Texts } from '../realm/texts.js';
import type { Undo } from '../realm/undo.js';
import { mappedTexts } from './node-source-maps.js';

/** Node's function that looks up a place of V8's. Others ask for places in stacks, which count no sites. */
const OF_NODE = 'getSourceMapErrorSource';

type FindEntry = SourceMap['findEntry'];

/**
 * Node warns of an unsettled top-level `await` when nothing is left to do, after `beforeExit`. Where it shows authors' lines, it
 * looks this one up by V8's column, which counts the sites. From here on, such a column is corrected.
 */
export function correctMapLookups(texts: Pick<Texts, 'names' | 'get'>): Undo {
  const { SourceMap: Class } = nodeModule();
  return replaceMethod<FindEntry>(Class.prototype, 'findEntry', (original) => {
    const standIn = {
      findEntry(this: SourceMap, ...args: [number, number]): ReturnType<FindEntry> {
        const [line, column] = args;
        const right = isAskedByNode(standIn) ? columnIn(texts, this, line, column) : column;
        return Reflect.apply(original, this, right === column ? args : [line, right]);
      },
    }.findEntry;
    return standIn;
  });
}

function isAskedByNode(callee: (...args: never[]) => unknown): boolean {
  let name: string | undefined | null;
  captureStack(([caller]) => (name = caller?.getFunctionName()), callee, 1);
  return name === OF_NODE;
}

/** The column, from 0, in the text as it was loaded. */
function columnIn(texts: Pick<Texts, 'names' | 'get'>, map: SourceMap, line: number, column: number): number {
  const modules = texts.names().filter((name) => name.startsWith('file:'));
  for (const mapped of mappedTexts(modules)) {
    if (mapped.map !== map) continue;
    const positions = texts.get(mapped.name);
    return positions === undefined ? column : positions.originalColumn(line + 1, column + 1) - 1;
  }
  return column;
}
