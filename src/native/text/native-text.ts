import type { LinkedText, TextFunction } from '../../ftrace/text.js';
import type { NativeMachine } from '../elf/elf-file.js';
import type { DebugText } from './debug-text.js';
import type { NativeSite } from './site.js';

/** A function of a native text. Its offsets are bytes from the object's first; its line and column are 0: not known. */
export interface NativeFunction extends TextFunction {
  /** Whether the compiler has left the function's site. Reads nothing. */
  readonly hasCompiledSite: boolean;
  /** Undefined: `reason` says why. Read from the object when it is first asked for. */
  readonly site: NativeSite | undefined;
}

/** An object that is mapped into a process, with its functions by address. */
export interface NativeText extends LinkedText {
  readonly machine: NativeMachine;
  /** What was added to the file's addresses. */
  readonly bias: number;
  readonly functions: readonly NativeFunction[];
  readonly debug?: DebugText;
}

/** Where an object is in a process. */
export interface ObjectMapping {
  /** The address of its first byte. Absent: where the file says. */
  readonly base?: number;
  /** `libc.so.6`; '' for the executable. */
  readonly module: string;
  readonly firstFunction: number;
  /** Functions that were compiled without a site get one where a jump can take the place of their first instructions. */
  readonly jumps?: boolean;
  /** Hears that its functions are looked for now, which takes long: they are not in the cache. */
  readonly finds?: () => void;
}
