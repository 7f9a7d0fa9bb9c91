import { isRefused } from '../../base/refused.js';
import type { Fetch } from '../../probes/probe-definition.js';
import type { ElfFile } from '../elf/elf-file.js';
import { DebugText } from '../text/debug-text.js';
import { linkObject } from '../text/link-object.js';

/** What the debug information of a program says of its functions. */
export function debugOf(elf: ElfFile): (name: string, offset: number, path: string) => unknown {
  const text = linkObject(elf, { module: '', firstFunction: 0, jumps: true });
  const debug = new DebugText({ file: 'program', from: elf.span[0], bias: 0, open: () => elf });
  return (name, offset, path) => {
    const [root = '', ...members] = path.split('.');
    const variable: Fetch = { kind: 'variable', name: root };
    const fetch = members.reduce<Fetch>((of, member) => ({ kind: 'member', of, name: member }), variable);
    const one = text.functions.find((other) => other.name === name)!;
    debug.linesOf(one);
    debug.onLine('program.c', 6);
    debug.variables(one, { offset });
    const found = debug.fetch(one, { offset }, fetch, undefined);
    return isRefused(found) ? found.why : found;
  };
}

export const register = (name: string): Fetch => ({ kind: 'register', name });
export const memory = (of: Fetch, offset: number): Fetch => ({ kind: 'dereference', of, offset });
