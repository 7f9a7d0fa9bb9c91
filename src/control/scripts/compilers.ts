import { compileBpftraceScript } from '../../script/bpftrace/compile-script.js';
import type { CompileScript } from '../../script/compiler.js';
import { compileStap } from '../../script/stap/compile-stap.js';
import type { Language } from './script-header.js';

/** The compiler of each language. */
export const COMPILERS: Readonly<Record<Language, CompileScript>> = { bpftrace: compileBpftraceScript, stap: compileStap };
