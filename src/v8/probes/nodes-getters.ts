import { createRequire } from 'node:module';
import {
  StringPrototypeIncludes as includes,
  SetPrototypeHas,
  FunctionPrototypeToString as textOf,
} from '../../base/primordials.js';
import { SafeSet } from '../../base/safe-map.js';
import { getOwnPropertyDescriptor, nativeOwnKeys, uncurry } from '../realm/primordials.js';

/**
 * Accessors of Node's own objects, which compute what a request's reader takes for a plain property: `request.headers`,
 * `socket.remoteAddress`, `url.pathname`. They call nothing of the program.
 */

const has = uncurry(SetPrototypeHas) as (set: Set<unknown>, value: unknown) => boolean;

/** The prototypes with these accessors. */
const prototypes = (require: NodeJS.Require): readonly object[] => {
  const http = require('node:http') as typeof import('node:http');
  const net = require('node:net') as typeof import('node:net');
  return [
    http.IncomingMessage.prototype,
    http.OutgoingMessage.prototype,
    net.Socket.prototype,
    URL.prototype,
    URLSearchParams.prototype,
    Map.prototype,
    Set.prototype,
    ArrayBuffer.prototype,
    Object.getPrototypeOf(Uint8Array.prototype) as object,
  ];
};

/** The name of a site's cell, which each function of the program has in its text. */
const SITE = '$f';

let getters: Set<unknown> | undefined;

function collect(): Set<unknown> {
  const found = new SafeSet<unknown>();
  for (const prototype of prototypes(createRequire(import.meta.url))) {
    for (const key of nativeOwnKeys(prototype)) {
      const get = getOwnPropertyDescriptor(prototype, key)?.get;
      // A program may have put an accessor of its own in the place of Node's.
      if (get !== undefined && !includes(textOf(get), SITE)) found.add(get);
    }
  }
  return found;
}

/** Whether an accessor is one of Node's own. */
export function isNodesGetter(get: unknown): boolean {
  getters ??= collect();
  return has(getters, get);
}
