import type { PointSymbol } from '../../probes/probe-point.js';
import type { ForeignCallers } from '../realm/find-caller.js';
import { withOwnBuiltIns } from '../realm/own-built-ins.js';
import { SafeMap, startsWith } from '../realm/primordials.js';
import { textAddress } from '../text-region.js';
import { keyOfText } from './content-key.js';
import type { LinkEvent } from './link-event.js';
import type { LinkTable } from './link-table.js';
import { packageNameOf } from './package-name.js';
import { sitelessName, sitelessText } from './siteless-text.js';

/** Addresses that each gets, because their length is not known. */
const LENGTH = 16;
/** A program may make any number of functions; only so many get an address. */
const MOST = 1000;

/** Schemes of names that are not files, and their modules: Node's own, V8's built-ins, WebAssembly. */
const MODULES = ['node', 'v8', 'wasm'] as const;

const moduleOf = (file: string): string => {
  for (let i = 0; i < MODULES.length; i++) if (startsWith(file, `${MODULES[i]}:`)) return MODULES[i]!;
  return packageNameOf(file);
};

/**
 * Gives functions without sites (Node's own, V8's built-ins, those of texts that are not instrumented) an address when they are
 * found on the stack of traced ones. Each is announced as a text with one function.
 */
export const foreignCallers = (links: LinkTable, tell: (link: LinkEvent) => void): ForeignCallers => {
  const symbols = new SafeMap<number, PointSymbol>();
  const files = new SafeMap<string, Map<string, number>>();
  let left = MOST;

  const link = (file: string, functionName: string): number => {
    const { firstFunction, base } = links.claim(keyOfText(`${file}\n${functionName}`, 0), 1, LENGTH);
    const module = moduleOf(file);
    // Where it begins is not known.
    const text = { file, module, length: LENGTH, base, firstFunction, name: functionName, line: 0, column: 0 };
    tell(sitelessText({ ...text, reason: 'foreign' }));
    const address = textAddress(base);
    symbols.set(address, { name: sitelessName(functionName, file), module, address, size: LENGTH });
    return base;
  };

  const addressOf = (file: string, name = ''): number => {
    let functions = files.get(file);
    if (functions === undefined) {
      if (left === 0) return 0;
      functions = new SafeMap<string, number>();
      files.set(file, functions);
    }
    const known = functions.get(name);
    if (known !== undefined) return known;
    if (left === 0) return 0;
    left--;
    functions.set(name, 0);
    const base = withOwnBuiltIns(() => link(file, name));
    functions.set(name, base);
    return base;
  };
  addressOf.symbolAt = (address: number) => symbols.get(address);
  return addressOf;
};
