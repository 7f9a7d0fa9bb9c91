import { prefixOf } from '../text/index.js';
import type { InspectorThread } from './inspector-thread.js';
import { wordsOfParameters } from './parameter-names.js';
import type { VariableText } from './variables-expression.js';

/** A place in a text that V8 has: lines and columns from 0. */
export interface ScriptPosition {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber?: number;
}

/** A call whose parameters and other variables are to be parted. */
interface PartedCall {
  readonly start: ScriptPosition | undefined;
  parameters: readonly VariableText[];
  locals: readonly VariableText[];
}

/** The longest text whose functions' parameters are looked for, in characters: the thread must send it. */
const LONGEST = 16_000_000;
/** How many lines the parameters of a function may take. */
const HEAD_LINES = 40;
/** The prefix of fentry's own variables where a text is not known. */
const USUAL_PREFIX = '$f';
/** What follows the prefix. */
const OWN_END = /^[a-z]\d*$/;

/** A text, line by line, and the prefix of the variables that fentry has put into it. */
interface KnownText {
  readonly lines: readonly string[];
  readonly prefix: string | undefined;
}

/** The texts of functions that are on a stack, as V8 has them. */
export class CallTexts {
  /** The URLs of source maps as texts name them, by the URLs of texts. */
  readonly sourceMaps = new Map<string, string>();
  readonly #session: InspectorThread;
  readonly #areInstrumented: boolean;
  readonly #longest: number;
  readonly #lengths = new Map<string, number>();
  readonly #texts = new Map<string, Promise<KnownText>>();

  /**
   * Before the debugger is enabled.
   * @param areInstrumented whether texts of the program have fentry's sites
   * @param longest the longest text that is read, in characters
   */
  constructor(session: InspectorThread, areInstrumented: boolean, longest = LONGEST) {
    this.#longest = longest;
    this.#session = session;
    this.#areInstrumented = areInstrumented;
    session.on('Debugger.scriptParsed', ({ scriptId, length, url, sourceMapURL = '' }) => {
      this.#lengths.set(String(scriptId), Number(length));
      if (sourceMapURL !== '') this.sourceMaps.set(String(url), String(sourceMapURL));
    });
  }

  /** Parts parameters from the other variables of a function, by its text, and leaves fentry's own out. */
  async part(calls: readonly PartedCall[], withLocals: boolean): Promise<void> {
    for (const call of calls) {
      const { start, parameters: all } = call;
      if (start === undefined) continue;
      const { lines, prefix } = await this.#text(start.scriptId);
      const head = lines.slice(start.lineNumber, start.lineNumber + HEAD_LINES).join('\n');
      const words = new Set(wordsOfParameters(head.slice(start.columnNumber ?? 0)));
      call.parameters = all.filter(([name]) => words.has(name));
      const others = all.filter(([name]) => !words.has(name) && !isOwn(name, prefix));
      call.locals = withLocals ? [...call.locals.filter(([name]) => !isOwn(name, prefix)), ...others] : [];
    }
  }

  /** Asks for texts before they are needed. */
  askFor(scriptIds: readonly (string | undefined)[]): void {
    for (const id of scriptIds) if (id !== undefined) void this.#text(id).catch(() => {});
  }

  #text(scriptId: string): Promise<KnownText> {
    let text = this.#texts.get(scriptId);
    if (text === undefined) this.#texts.set(scriptId, (text = this.#ask(scriptId)));
    return text;
  }

  async #ask(scriptId: string): Promise<KnownText> {
    const isShort = (this.#lengths.get(scriptId) ?? 0) <= this.#longest;
    const answer = isShort ? await this.#session.ask('Debugger.getScriptSource', { scriptId }) : undefined;
    const text = String(answer?.['scriptSource'] ?? '');
    const prefix = this.#areInstrumented ? (prefixOf(text) ?? USUAL_PREFIX) : undefined;
    return { lines: text.split('\n'), prefix };
  }
}

const isOwn = (name: string, prefix: string | undefined): boolean =>
  prefix !== undefined && name.startsWith(prefix) && OWN_END.test(name.slice(prefix.length));
