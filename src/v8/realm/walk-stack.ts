import { TRACEPOINT_URL } from '../../tracepoint/define-trace.js';
import type { WalkStack } from '../call-stack.js';
import type { AddressOfForeign } from './capture-callers.js';
import { captureStack, type StackSite } from './capture-stack.js';
import type { PlacedSite } from './site-place.js';
import type { StackPlaces } from './stack-places.js';
import type { Texts } from './texts.js';

/** The replacement for the file of a frame without a file. */
export const BUILT_IN = 'v8:built-in';
export const GENERATED = 'v8:eval';
/**
 * Node's functions that tell fentry of what happens, by their files: they stand above what makes it happen, and only because an
 * event is on.
 */
const ASYNC_HOOKS = 'node:internal/async_hooks';
const CHANNELS = 'node:diagnostics_channel';
const OBSERVERS = 'node:internal/perf/observe';
/** What a timer tells of itself by. */
const TIMERS = 'node:internal/timers';
const TIMER_TELLS = 'initAsyncResource';

/** The name of the frame between what runs and the functions that await it. */
const AWAIT = 'await';

/** What a walk needs besides the texts. */
interface WalkNeeds {
  readonly addressOfForeign: AddressOfForeign;
  /** Learns where the frames are. */
  readonly places?: StackPlaces;
  /** Whether a breakpoint's condition is running: its frame is fentry's own, too. */
  readonly inCondition?: () => boolean;
}

/**
 * Walks the JavaScript stack by captures. fentry's own frames are left out, and those of Node's hooks that called it, unless
 * there is nothing else. The functions that await the running one follow after a special frame: they are not on the stack, but
 * the running function returns to them.
 */
export const createWalkStack = (texts: Texts, { addressOfForeign, places, inCondition = () => false }: WalkNeeds): WalkStack => {
  const address = (site: StackSite): number => {
    const file = site.getFileName();
    const text = texts.at(site);
    if (text !== undefined) {
      const low = text.base + text.originalOffset(site.getPosition());
      places?.note(low, site as PlacedSite, text);
      return low;
    }
    if (typeof file !== 'string') {
      if (site.getScriptNameOrSourceURL() === TRACEPOINT_URL) return 0;
      return addressOfForeign(site.isEval() ? GENERATED : BUILT_IN, site.getFunctionName() ?? undefined);
    }
    const name = site.getFunctionName() ?? undefined;
    // What an inspector evaluates has an empty name: it is how fentry interrupts, or somebody's who asks.
    const isOutside = file === '' && name === undefined;
    return isOutside || texts.isOwn(file) ? 0 : addressOfForeign(file, name);
  };

  const isTelling = (site: StackSite): boolean => {
    const file = site.getFileName();
    if (file === ASYNC_HOOKS || file === CHANNELS || file === OBSERVERS) return true;
    return file === TIMERS && site.getFunctionName() === TIMER_TELLS;
  };

  return function walkStack(addresses, withAwaiting, callee) {
    let count = 0;
    let isShort = callee !== undefined;
    const put = (low: number): void => {
      if (low !== 0 && count < addresses.length) addresses[count++] = low;
    };
    const read = (trace: readonly StackSite[]): void => {
      let awaited = false;
      let condition = inCondition();
      let teller: StackSite | undefined;
      for (let i = 0; i < trace.length; i++) {
        const site = trace[i]!;
        if (condition && site.isEval()) {
          condition = false;
          continue;
        }
        if (site.isAsync() && !awaited) {
          if (!withAwaiting) return;
          awaited = true;
          put(addressOfForeign(BUILT_IN, AWAIT));
        }
        if (count === 0 && isTelling(site)) teller = site;
        else put(address(site));
      }
      if (count === 0 && teller !== undefined && !isShort) put(address(teller));
    };
    try {
      // Each frame costs: mostly the frames behind the one that called it are enough.
      if (callee !== undefined) captureStack(read, callee, addresses.length + 1);
      // Some frames more than asked for: fentry's own are among the first.
      if (count < addresses.length) {
        isShort = false;
        count = 0;
        captureStack(read, walkStack, addresses.length + OWN_FRAMES);
      }
    } catch {
      // The stack is full: what was read is all there is.
    }
    places?.flush();
    return count;
  };
};

const OWN_FRAMES = 28;
