import type { ScriptProgram } from '../program.js';
import type { ScriptCode } from '../script-code.js';

/** Makes the code of a program. No text or name of the script stands in it. */
export function emitScript(program: ScriptProgram): ScriptCode {
  void program;
  throw new Error('not made yet');
}
