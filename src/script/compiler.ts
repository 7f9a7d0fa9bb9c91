import type { ScriptProgram } from './program.js';
import type { ScriptTarget } from './target.js';

/** A script as its verb was given it. */
export interface ScriptText {
  readonly text: string;
  /** How errors name its file: `<input>` of SystemTap and `stdin` of bpftrace for a text that was an argument. */
  readonly file: string;
  /** The options and arguments behind the name of the language: `-D MAXACTION=100 -- 4711`, as its own command takes them. */
  readonly words: readonly string[];
}

/** What becomes of a script. */
export type Compiled =
  /** `banner`: what its command prints before it begins. */
  | { readonly kind: 'program'; readonly program: ScriptProgram; readonly warnings: string; readonly banner?: string }
  /** A script that shall not run: what is printed in its place, such as the points that `-l` lists. */
  | { readonly kind: 'text'; readonly text: string; readonly warnings: string };

/** A script was refused. Its message is all that the original prints: place, line, caret, similar names. */
export class ScriptRefusal extends Error {}

/** Makes a typed program of a script. @throws ScriptRefusal */
export type CompileScript = (script: ScriptText, target: ScriptTarget) => Compiled;
