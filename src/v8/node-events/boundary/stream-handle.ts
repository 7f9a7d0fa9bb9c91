import { createRequire } from 'node:module';
import { networkInterfaces } from 'node:os';
import { types } from 'node:util';
import { getOwnPropertyDescriptor, getPrototypeOf, nativeOwnKeys, reflectApply, SafeWeakMap } from '../../realm/primordials.js';
import { nativeBinding } from './native-binding.js';
import { idOf } from './object-ids.js';
import { numberOf, ownValue } from './values.js';

// Taken before the program could replace it.
const { isProxy } = types;

type Native = (this: unknown, ...args: unknown[]) => unknown;

/** What a handle of a stream is: a TCP socket, a pipe or a UNIX socket, or the plain text of a TLS connection. */
export type StreamKind = 'tcp' | 'pipe' | 'tls';

/** An end of a connection. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Both ends, as far as the system knows them. */
export interface Ends {
  /** AF_INET is 2, AF_INET6 is 10, AF_UNIX is 1. */
  readonly family: number;
  readonly local: Endpoint;
  readonly peer: Endpoint;
}

const NOWHERE: Endpoint = { address: '', port: 0 };
const UNIX: Ends = { family: 1, local: NOWHERE, peer: NOWHERE };

/** The prototypes of the classes of handles. Each has its own reading and writing, or inherits them from `stream`. */
export interface StreamClasses {
  readonly tcp: object;
  readonly pipe: object;
  /** What TCP and Pipe inherit from. */
  readonly stream: object;
  /** What all handles inherit from. */
  readonly handle: object;
  /** Absent in a Node without TLS. */
  readonly tls: object | undefined;
}

const prototypeOf = (binding: string, name: string): object | undefined =>
  ownValue(nativeBinding(binding)?.[name], 'prototype') as object | undefined;

function findClasses(): StreamClasses | undefined {
  const tcp = prototypeOf('tcp_wrap', 'TCP');
  const pipe = prototypeOf('pipe_wrap', 'Pipe');
  if (tcp === undefined || pipe === undefined) return undefined;
  const stream = getPrototypeOf(tcp) as object;
  return { tcp, pipe, stream, handle: getPrototypeOf(stream) as object, tls: prototypeOf('tls_wrap', 'TLSWrap') };
}

let classes: StreamClasses | undefined;
/** Undefined where the bindings may not be used. */
export const streamClasses = (): StreamClasses | undefined => (classes ??= findClasses());

/** Undefined for a handle of another kind: a terminal's, for example. */
export function kindOf(handle: object): StreamKind | undefined {
  const prototype = getPrototypeOf(handle);
  if (classes === undefined || prototype === null) return undefined;
  if (prototype === classes.tcp) return 'tcp';
  if (prototype === classes.pipe) return 'pipe';
  return prototype === classes.tls ? 'tls' : undefined;
}

/** The handle of the connection: of TLS the one below it. */
export const transportOf = (handle: object): object => (ownValue(handle, '_parent') as object | undefined) ?? handle;

/** The number of a connection in all of Node's events. */
export const socketId = (handle: object | undefined): number => (handle === undefined ? 0 : idOf(transportOf(handle)));

/** Where a net.Socket keeps its handle: a symbol that is private to Node's library. */
let kHandle: symbol | undefined;

function symbolIn(socket: object): symbol | undefined {
  if (isProxy(socket)) return undefined;
  for (const key of nativeOwnKeys(socket)) if (typeof key === 'symbol' && String(key) === 'Symbol(kHandle)') return key;
  return undefined;
}

/** The handle of a net.Socket or net.Server. */
export function handleOf(socket: unknown): object | undefined {
  if (typeof socket !== 'object' || socket === null) return undefined;
  kHandle ??= symbolIn(socket);
  const handle = (kHandle && ownValue(socket, kHandle)) ?? ownValue(socket, '_handle');
  return typeof handle === 'object' && handle !== null ? handle : undefined;
}

/** The descriptor of a handle, a getter of its class in C++. */
export const fdOf = (handle: object): number => numberOf((handle as { readonly fd?: unknown }).fd);

const known = new SafeWeakMap<object, Ends>();

/** Where a connection goes, asked of the system until it knows both ends. */
export function endsOf(handle: object): Ends {
  const transport = transportOf(handle);
  const before = known.get(transport);
  if (before !== undefined) return before;
  if (kindOf(transport) !== 'tcp') return UNIX;
  const local = nameBy('getsockname', transport);
  const peer = nameBy('getpeername', transport);
  const ends: Ends = {
    family: local?.family === 'IPv6' || peer?.family === 'IPv6' ? 10 : 2,
    local: local ?? NOWHERE,
    peer: peer ?? NOWHERE,
  };
  if (peer !== undefined) known.set(transport, ends);
  return ends;
}

/** Where a connection goes, and the number by which the system has it. */
export interface PeerAndDescriptor extends Endpoint {
  readonly fd: number;
}

const CLOSED: PeerAndDescriptor = { ...NOWHERE, fd: -1 };

/** A connection, by its other end and its descriptor; the descriptor is -1 when it is closed. */
export function connectionOf(handle: object | undefined): PeerAndDescriptor {
  if (handle === undefined) return CLOSED;
  const { peer } = endsOf(handle);
  return { address: peer.address, port: peer.port, fd: fdOf(transportOf(handle)) };
}

interface NameOut extends Endpoint {
  readonly family: string;
}

/** Node's own method, before streams are hooked. */
function nameBy(method: string, handle: object): NameOut | undefined {
  const own = ownValue(classes?.tcp, method) as Native | undefined;
  const out: Partial<NameOut> = {};
  if (own === undefined || reflectApply(own, handle, [out]) !== 0) return undefined;
  return out as NameOut;
}

/** An end as text: 127.0.0.1:80, [::1]:80. */
export const endpointText = ({ address, port }: Endpoint): string =>
  port === 0 && address === '' ? '' : `${address.includes(':') ? `[${address}]` : address}:${port}`;

let devices = new Map<string, string>();

/** The device that an address of this machine belongs to: lo, eth0; '' if none does. */
function deviceOf(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  if (plain === '') return '';
  if (!devices.has(plain)) {
    devices = new Map(
      Object.entries(networkInterfaces()).flatMap(([name, all]) => (all ?? []).map((one) => [one.address, name] as const)),
    );
    if (!devices.has(plain)) devices.set(plain, plain.startsWith('127.') ? 'lo' : '');
  }
  return devices.get(plain) ?? '';
}

/** What data goes through: the device of a connection; `pipe` for a pipe or a UNIX socket. */
export const deviceName = (handle: object): string =>
  kindOf(transportOf(handle)) === 'tcp' ? deviceOf(endsOf(handle).local.address) : 'pipe';

/** How many bytes a net.Socket has read, or has given to the system: by Node's own getter, also when it is closed. */
export class SocketBytes {
  readonly #name: 'bytesRead' | '_bytesDispatched';
  #getter: ((this: unknown) => unknown) | undefined;

  constructor(name: 'bytesRead' | '_bytesDispatched') {
    this.#name = name;
  }

  /** 0 for what is no socket of Node's. */
  of(socket: unknown): number {
    if (handleOf(socket) === undefined && ownValue(socket, '_host') === undefined) return 0;
    this.#getter ??= this.#find();
    if (this.#getter === undefined) return 0;
    try {
      return numberOf(reflectApply(this.#getter, socket, []));
    } catch {
      return 0;
    }
  }

  #find(): ((this: unknown) => unknown) | undefined {
    const { Socket } = createRequire(import.meta.url)('node:net') as typeof import('node:net');
    return getOwnPropertyDescriptor(Socket.prototype, this.#name)?.get;
  }
}
