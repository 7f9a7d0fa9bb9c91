import { Session } from 'node:inspector';
import type { LoadedScript } from './breakpoint-text.js';

interface Location {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber?: number;
}
/** A place where V8 can break; places at a function's returns are marked. */
export interface BreakLocation extends Location {
  readonly type?: 'debuggerStatement' | 'call' | 'return';
}

/** A script as the debugger announces it. */
export interface Script {
  readonly scriptId: string;
  /** A path becomes a URL. */
  readonly url: string;
  /** SHA-256 of its source in UTF-8, hexadecimal. */
  readonly hash: string;
  /** Length of the script's source, in UTF-16 units. */
  readonly length: number;
  /** Where its text begins for V8. */
  readonly startLine: number;
  readonly startColumn: number;
  readonly isModule?: boolean;
  readonly scriptLanguage?: string;
}

type Parameters = Readonly<Record<string, unknown>>;

/**
 * V8's debugger for the thread itself. A session with the own thread answers before `post` returns, and cannot pause: a
 * breakpoint only evaluates its condition.
 */
export class DebuggerSession {
  readonly #session = new Session();
  readonly #scripts: Script[] = [];

  /** @param parsed is called with each script with a name that is compiled from now on, before it runs */
  constructor(parsed?: (script: Script) => void) {
    this.#session.connect();
    this.#session.on('Debugger.scriptParsed', ({ params }) => this.#scripts.push(params as Script));
    this.#post('Debugger.enable');
    this.#session.removeAllListeners('Debugger.scriptParsed');
    // A `debugger` statement of the program must stay without effect; conditions are evaluated anyway.
    this.#post('Debugger.setSkipAllPauses', { skip: true });
    if (parsed === undefined) return;
    this.#session.on('Debugger.scriptParsed', ({ params }) => {
      // Each evaluation of a condition makes a script without a name, as eval does.
      if (params.url === '') return;
      this.#scripts.push(params as Script);
      parsed(params as Script);
    });
  }

  /** The scripts that existed when the session began; with `parsed`, those with names that were compiled since, too. */
  get scripts(): readonly LoadedScript[] {
    return this.#scripts
      .filter(({ scriptLanguage }) => scriptLanguage !== 'WebAssembly')
      .map(({ scriptId, url, hash, isModule = false }) => ({ scriptId, url, hash, isModule }));
  }

  /** The scripts as V8 announced them. */
  get announced(): readonly Script[] {
    return this.#scripts;
  }

  source(scriptId: string): string {
    const answer = this.#post('Debugger.getScriptSource', { scriptId });
    return (answer as { scriptSource?: string } | undefined)?.scriptSource ?? '';
  }

  /** The places of the one function that holds `start`, up to `end`; of all functions if `restrictToFunction` is false. */
  locations(start: Location, end: Location, restrictToFunction = true): readonly BreakLocation[] {
    const answer = this.#post('Debugger.getPossibleBreakpoints', { start, end, restrictToFunction });
    return (answer as { locations?: readonly BreakLocation[] } | undefined)?.locations ?? [];
  }

  /** Makes V8 evaluate `condition` at a place. Undefined if V8 refuses. */
  setBreakpoint(location: BreakLocation, condition: string): string | undefined {
    const { scriptId, lineNumber, columnNumber } = location;
    const answer = this.#post('Debugger.setBreakpoint', { location: { scriptId, lineNumber, columnNumber }, condition });
    return (answer as { breakpointId?: string } | undefined)?.breakpointId;
  }

  removeBreakpoint(breakpointId: string): void {
    this.#post('Debugger.removeBreakpoint', { breakpointId });
  }

  /** Removes all breakpoints and ends. */
  end(): void {
    this.#session.disconnect();
  }

  #post(method: string, parameters: Parameters = {}): unknown {
    let answer: unknown;
    this.#session.post(method, parameters, (error, result) => {
      if (error === null) answer = result;
    });
    return answer;
  }
}
