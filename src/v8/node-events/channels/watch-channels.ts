import diagnosticsChannel, { type Channel } from 'node:diagnostics_channel';
import { syncBuiltinESMExports } from 'node:module';
import { replaceGetter, replaceMethod } from '../../realm/lookalike.js';
import { getPrototypeOf, reflectApply } from '../../realm/primordials.js';
import { type Undo, undoAll } from '../../realm/undo.js';
import { ownProperty } from '../../tracers/own-property.js';
import type { FirstMessage } from './found-channel.js';

type Method = (this: object, ...args: unknown[]) => unknown;

/** What a program does with a channel, with a message as the first argument. */
const MESSAGES = ['publish', 'runStores', 'withStoreScope'] as const;
/** What else it asks a channel for. */
const USES = ['subscribe', 'bindStore'] as const;

/** The prototype that a channel has while it has a listener. */
function activePrototype(): object {
  const channel = diagnosticsChannel.channel('fentry.active') as Channel;
  const listener = (): void => {};
  channel.subscribe(listener);
  const prototype = getPrototypeOf(channel) as object;
  channel.unsubscribe(listener);
  return prototype;
}

/**
 * Calls `used` with the name of a channel whenever one is made by `diagnostics_channel.channel()`, or used, with the message if
 * it is about one. Node keeps no list of its channels that could be read.
 */
export function watchChannels(used: (name: string | symbol, first?: FirstMessage) => void): Undo {
  let isOn = true;
  const see = (channel: object, first?: FirstMessage): void => {
    if (!isOn) return;
    const name = ownProperty(channel, 'name');
    if (typeof name === 'string' || typeof name === 'symbol') used(name, first);
  };
  const seeing = (original: Method): Method =>
    ({
      method(this: object, ...args: unknown[]): unknown {
        see(this);
        return reflectApply(original, this, args);
      },
    }).method;
  const telling = (original: Method): Method =>
    ({
      method(this: object, ...args: unknown[]): unknown {
        see(this, { message: args[0] });
        return reflectApply(original, this, args);
      },
    }).method;
  const making = (original: Method): Method =>
    ({
      method(this: object, ...args: unknown[]): unknown {
        const channel = reflectApply(original, this, args) as object;
        see(channel);
        return channel;
      },
    }).method;
  const prototypes = [diagnosticsChannel.Channel.prototype as object, activePrototype()];
  const undo = undoAll([
    ...prototypes.flatMap((prototype) => [
      ...USES.map((use) => replaceMethod<Method>(prototype, use, seeing)),
      ...MESSAGES.map((use) => replaceMethod<Method>(prototype, use, telling)),
      replaceGetter(
        prototype,
        'hasSubscribers',
        (original) =>
          Object.getOwnPropertyDescriptor(
            {
              get hasSubscribers(): unknown {
                see(this);
                return reflectApply(original, this, []);
              },
            },
            'hasSubscribers',
          )!.get!,
      ),
    ]),
    replaceMethod<Method>(diagnosticsChannel, 'channel', making),
  ]);
  syncBuiltinESMExports();
  return () => {
    isOn = false;
    undo();
    syncBuiltinESMExports();
  };
}
