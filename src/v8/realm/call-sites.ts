import { lookLike } from './lookalike.js';
import {
  create,
  defineProperty,
  endsWith,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  nativeOwnKeys,
  reflectApply,
  SafeWeakMap,
  setPrototypeOf,
  slice,
} from './primordials.js';
import type { FramePlace, TextPositions, Texts } from './texts.js';

type Getter = (this: unknown) => unknown;
type Getters = Record<string, Getter>;

/**
 * Gives CallSite objects the columns of the original text. V8 locks `CallSite.prototype`, so each object in a text with sites
 * gets an additional prototype between itself and V8's.
 */
export class CallSites {
  readonly #texts: Texts;
  readonly #mapped = new SafeWeakMap<object, object>();

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  /**
   * The frames that the program should see: fentry's own are left out, columns are the original ones. The objects are V8's own,
   * changed in place; the array is new if a frame was left out.
   */
  map(trace: object[]): object[] {
    let kept: object[] | undefined;
    for (let i = 0; i < trace.length; i++) {
      const site = trace[i] as object;
      const file = (site as { getFileName(): unknown }).getFileName();
      const own = typeof file === 'string' && this.#texts.isOwn(file);
      if (own && kept === undefined) {
        kept = [];
        for (let k = 0; k < i; k++) kept[k] = trace[k] as object;
      }
      if (own) continue;
      if (kept !== undefined) kept[kept.length] = site;
      if (typeof file === 'string' ? this.#texts.get(file) !== undefined : this.#texts.size > 0) this.#mapOne(site);
    }
    return kept ?? trace;
  }

  #mapOne(site: object): void {
    const native = getPrototypeOf(site) as object;
    let mapped = this.#mapped.get(native);
    if (mapped === undefined) {
      mapped = this.#derive(native);
      this.#mapped.set(native, mapped);
      this.#mapped.set(mapped, mapped);
    }
    if (mapped !== native) setPrototypeOf(site, mapped);
  }

  #derive(native: object): object {
    const mapped = create(native) as object;
    const get = native as Getters;
    const call = (name: string, self: unknown): unknown => reflectApply(get[name] as Getter, self, []);
    // V8's own getters, not the program's replacements.
    const textOf = (self: unknown): TextPositions | undefined =>
      this.#texts.at({
        getFileName: () => call('getFileName', self) as string | undefined,
        getScriptNameOrSourceURL: () => call('getScriptNameOrSourceURL', self) as string | undefined,
      });
    /** The place of a frame that is in the midst of a site. */
    const placeOf = (self: unknown): FramePlace | undefined => {
      const text = textOf(self);
      if (text?.framePlace === undefined) return undefined;
      const line = call('getLineNumber', self);
      const column = call('getColumnNumber', self);
      return typeof line === 'number' && typeof column === 'number' ? text.framePlace(line, column) : undefined;
    };
    const column = (self: unknown, line: string, name: string): unknown => {
      const value = call(name, self);
      const text = textOf(self);
      return text !== undefined && typeof value === 'number' ? text.originalColumn(call(line, self) as number, value) : value;
    };
    const texts = this.#texts;
    const standIns: Getters = {
      __proto__: null as never,
      getLineNumber() {
        return placeOf(this)?.line ?? call('getLineNumber', this);
      },
      getColumnNumber() {
        return placeOf(this)?.column ?? column(this, 'getLineNumber', 'getColumnNumber');
      },
      getEnclosingColumnNumber() {
        // The function of a text that was compiled as a script begins before the text.
        return column(this, 'getEnclosingLineNumber', 'getEnclosingColumnNumber') ?? (textOf(this) && 1);
      },
      getPosition() {
        const place = placeOf(this);
        if (place !== undefined) return place.offset;
        const value = call('getPosition', this);
        const text = textOf(this);
        return text !== undefined && typeof value === 'number' ? text.originalOffset(value) : value;
      },
      getEvalOrigin() {
        const value = call('getEvalOrigin', this);
        return typeof value === 'string' ? texts.mapLocations(value) : value;
      },
      toString() {
        const printed = call('toString', this) as string;
        const suffix = `:${call('getLineNumber', this)}:${call('getColumnNumber', this)}`;
        const closed = endsWith(printed, ')') ? ')' : '';
        if (!endsWith(printed, suffix + closed)) return printed;
        const start = printed.length - suffix.length - closed.length;
        const place = placeOf(this);
        const line = place?.line ?? call('getLineNumber', this);
        const head = slice(printed, 0, start);
        const mappedHead = call('isEval', this) ? texts.mapLocations(head) : head;
        return `${mappedHead}:${line}:${place?.column ?? column(this, 'getLineNumber', 'getColumnNumber')}${closed}`;
      },
    };
    const keys = nativeOwnKeys(native);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      const descriptor = getOwnPropertyDescriptor(native, key) as PropertyDescriptor;
      const standIn = standIns[key];
      defineProperty(mapped, key, standIn ? { ...descriptor, value: lookLike(standIn, descriptor.value) } : descriptor);
    }
    return mapped;
  }
}
