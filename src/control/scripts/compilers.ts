import { type CompileScript, ScriptRefusal } from '../../script/compiler.js';
import { compileStap } from '../../script/stap/compile-stap.js';
import type { Language } from './script-header.js';

const notMade: CompileScript = () => {
  throw new ScriptRefusal('not made yet');
};

/** The compiler of each language. */
export const COMPILERS: Readonly<Record<Language, CompileScript>> = { bpftrace: notMade, stap: compileStap };
