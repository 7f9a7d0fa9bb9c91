import { array, int, pointer, type TraceField, u16 } from '../../tracepoint/fields.js';
import { orWithOwnBuiltIns } from '../realm/own-built-ins.js';
import { reflectApply, SafeWeakMap } from '../realm/primordials.js';
import { type Ends, endsOf, kindOf, socketId, transportOf } from './boundary/stream-handle.js';
import { listenToStreams } from './boundary/stream-hook.js';
import { type NodeEventSource, nodeEventSystem } from './node-event-system.js';

const NO_V4: readonly number[] = [0, 0, 0, 0];
const NO_V6: readonly number[] = Array.from({ length: 16 }, () => 0);
const V4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

function v4Bytes(text: string): readonly number[] | undefined {
  const parts = V4.exec(text);
  return parts === null ? undefined : parts.slice(1).map(Number);
}

/** The 4 bytes of an IPv4 address, also of one that IPv6 maps; zeros for all other texts. */
const addressBytes = (text: string): readonly number[] =>
  orWithOwnBuiltIns(() => v4Bytes(MAPPED.exec(text)?.[1] ?? text) ?? NO_V4);

/** The 16 bytes of an IPv6 address; of an IPv4 address those that map it (::ffff:a.b.c.d), as in the kernel's events. */
const mappedBytes = (text: string): readonly number[] => orWithOwnBuiltIns(() => mapped(text));

function mapped(text: string): readonly number[] {
  const v4 = v4Bytes(MAPPED.exec(text)?.[1] ?? text);
  if (v4 !== undefined) return [...NO_V6.slice(0, 10), 0xff, 0xff, ...v4];
  const [plain = ''] = text.split('%');
  if (!plain.includes(':')) return NO_V6;
  const [head = '', tail] = plain.split('::');
  const words = (part: string): number[] => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)));
  const first = words(head);
  const last = words(tail ?? '');
  const gap = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => 0);
  return [...first, ...gap, ...last].flatMap((word) => [(word >> 8) & 0xff, word & 0xff]);
}

/** States of a TCP socket (include/net/tcp_states.h). */
const STATE = {
  ESTABLISHED: 1,
  SYN_SENT: 2,
  SYN_RECV: 3,
  FIN_WAIT1: 4,
  FIN_WAIT2: 5,
  CLOSE: 7,
  CLOSE_WAIT: 8,
  LAST_ACK: 9,
  LISTEN: 10,
} as const;

const IPPROTO_TCP = 6;
const FAMILY = '__print_symbolic(REC->family, { 2, "AF_INET" }, { 10, "AF_INET6" })';
const PROTOCOL =
  '__print_symbolic(REC->protocol, { 6, "IPPROTO_TCP" }, { 33, "IPPROTO_DCCP" }, { 132, "IPPROTO_SCTP" }, { 262, "IPPROTO_MPTCP" })';
const stateOf = (field: string): string =>
  `__print_symbolic(REC->${field}, { 1, "TCP_ESTABLISHED" }, { 2, "TCP_SYN_SENT" }, { 3, "TCP_SYN_RECV" }, { 4, "TCP_FIN_WAIT1" }, { 5, "TCP_FIN_WAIT2" }, { 6, "TCP_TIME_WAIT" }, { 7, "TCP_CLOSE" }, { 8, "TCP_CLOSE_WAIT" }, { 9, "TCP_LAST_ACK" }, { 10, "TCP_LISTEN" }, { 11, "TCP_CLOSING" }, { 12, "TCP_NEW_SYN_RECV" })`;
const ENDS_FORMAT = 'family=%s protocol=%s sport=%hu dport=%hu saddr=%pI4 daddr=%pI4 saddrv6=%pI6c daddrv6=%pI6c';
const ENDS_ARGS = `${FAMILY}, ${PROTOCOL}, REC->sport, REC->dport, REC->saddr, REC->daddr, REC->saddr_v6, REC->daddr_v6`;
const LENGTH_PRINT = `"sk address = %p, family = %s, protocol = %s, length = %d, error = %d", REC->sk, __print_symbolic(REC->family, { 1, "AF_UNIX" }, { 2, "AF_INET" }, { 10, "AF_INET6" }), __print_symbolic(REC->protocol, { 0, "0" }, { 6, "IPPROTO_TCP" }), (REC->ret > 0) ? REC->ret : 0, (REC->ret < 0) ? REC->ret : 0`;

type Changed = [skaddr: number, oldstate: number, newstate: number, ends: Ends];
type Failed = [error: number, ends: Ends];
type Moved = [sk: number, family: number, protocol: number, ret: number];
type SockEvents = {
  inet_sock_set_state: Changed;
  inet_sk_error_report: Failed;
  sock_send_length: Moved;
  sock_recv_length: Moved;
};

/** The kernel's headers for programs have the same integer by another name. */
const asUapi = <T extends readonly unknown[]>(field: TraceField<T>): TraceField<T> => ({ ...field, type: '__u16' });

/** The fields of both ends, from the argument at the place `at`. */
const endFields = <T extends readonly unknown[]>(at: number): Record<string, TraceField<T>> => {
  const ends = (args: readonly unknown[]): Ends => args[at] as Ends;
  return {
    sport: asUapi(u16((...args: T) => ends(args).local.port)),
    dport: asUapi(u16((...args: T) => ends(args).peer.port)),
    family: asUapi(u16((...args: T) => ends(args).family)),
    protocol: asUapi(u16((..._args: T) => IPPROTO_TCP)),
    saddr: array('__u8', 4, (...args: T) => addressBytes(ends(args).local.address)),
    daddr: array('__u8', 4, (...args: T) => addressBytes(ends(args).peer.address)),
    saddr_v6: array('__u8', 16, (...args: T) => mappedBytes(ends(args).local.address)),
    daddr_v6: array('__u8', 16, (...args: T) => mappedBytes(ends(args).peer.address)),
  };
};

const moved = {
  args: ['sk', 'family', 'protocol', 'ret'],
  fields: {
    sk: pointer((sk) => sk),
    family: u16((_sk, family) => family),
    protocol: u16((_sk, _family, protocol) => protocol),
    ret: int((_sk, _family, _protocol, ret) => ret),
  } satisfies Record<string, TraceField<Moved>>,
  print: LENGTH_PRINT,
} as const;

/**
 * The life of sockets (include/trace/events/sock.h): TCP states as far as Node knows them, errors, and lengths of what is sent
 * and received.
 */
export const sock = nodeEventSystem<SockEvents>('sock', {
  events: {
    inet_sock_set_state: {
      args: ['skaddr', 'oldstate', 'newstate', 'ends'],
      fields: {
        skaddr: { ...pointer((skaddr: number) => skaddr), type: 'const void *' },
        oldstate: int((_skaddr, oldstate) => oldstate),
        newstate: int((_skaddr, _oldstate, newstate) => newstate),
        ...endFields<Changed>(3),
      },
      print: `"${ENDS_FORMAT} oldstate=%s newstate=%s", ${ENDS_ARGS}, ${stateOf('oldstate')}, ${stateOf('newstate')}`,
    },
    inet_sk_error_report: {
      args: ['error', 'ends'],
      fields: { error: int((error) => error), ...endFields<Failed>(1) },
      print: `"${ENDS_FORMAT} error=%d", ${ENDS_ARGS}, REC->error`,
    },
    sock_send_length: moved,
    sock_recv_length: moved,
  },
  sources: [states(), lengths()],
});

const UV_EOF = -4095;

function states(): NodeEventSource<SockEvents> {
  return {
    events: ['inet_sock_set_state', 'inet_sk_error_report'],
    start({ inet_sock_set_state: changed, inet_sk_error_report: failed }) {
      const present = new SafeWeakMap<object, number>();
      const goalOf = new SafeWeakMap<object, string>();
      const ends = (handle: object): Ends => {
        const found = endsOf(handle);
        const goal = goalOf.get(handle);
        return goal === undefined || found.peer.port !== 0 ? found : { ...found, peer: endpointOf(goal) };
      };
      function change(handle: object, from: number, to: number): void {
        present.set(handle, to);
        if (changed.enabled()) changed(socketId(handle), from, to, ends(handle));
      }
      /** A connection that was there before is taken to be established. */
      const stateOf = (handle: object): number => present.get(handle) ?? STATE.ESTABLISHED;
      function fail(handle: object, status: number): void {
        if (failed.enabled()) failed(-status, ends(handle));
      }
      const onTcp =
        <A extends unknown[]>(run: (handle: object, ...args: A) => void) =>
        (handle: object, ...args: A): void => {
          const transport = transportOf(handle);
          if (kindOf(transport) !== 'tcp') return;
          const all: unknown[] = [transport];
          for (let i = 0; i < args.length; i++) all[i + 1] = args[i];
          reflectApply(run, undefined, all as never);
        };
      return listenToStreams({
        listen: onTcp((handle, _backlog: number, ret: number) => {
          if (ret === 0) change(handle, STATE.CLOSE, STATE.LISTEN);
        }),
        connecting: onTcp((handle, _id: number, address: string) => {
          goalOf.set(handle, address);
          change(handle, STATE.CLOSE, STATE.SYN_SENT);
        }),
        connected: onTcp((handle, _id: number, status: number) => {
          if (status !== 0) fail(handle, status);
          change(handle, STATE.SYN_SENT, status === 0 ? STATE.ESTABLISHED : STATE.CLOSE);
        }),
        accepted: onTcp((handle) => change(handle, STATE.SYN_RECV, STATE.ESTABLISHED)),
        sent: onTcp((handle, _id: number, _bytes: number, status: number) => {
          if (status < 0) fail(handle, status);
        }),
        read: onTcp((handle, bytes: number) => {
          const state = stateOf(handle);
          if (bytes >= 0) return;
          if (bytes !== UV_EOF) fail(handle, bytes);
          else if (state === STATE.ESTABLISHED) change(handle, state, STATE.CLOSE_WAIT);
          else if (state === STATE.FIN_WAIT1) change(handle, state, STATE.CLOSE);
        }),
        shutdown: onTcp((handle) => {
          const state = stateOf(handle);
          if (state === STATE.ESTABLISHED) change(handle, state, STATE.FIN_WAIT1);
          else if (state === STATE.CLOSE_WAIT) change(handle, state, STATE.LAST_ACK);
        }),
        closed: onTcp((handle) => {
          const state = stateOf(handle);
          if (state !== STATE.CLOSE) change(handle, state, STATE.CLOSE);
        }),
      });
    },
  };
}

function lengths(): NodeEventSource<SockEvents> {
  return {
    events: ['sock_send_length', 'sock_recv_length'],
    start({ sock_send_length: sent, sock_recv_length: received }) {
      const tell = (trace: typeof sent, handle: object, ret: number): void => {
        if (!trace.enabled()) return;
        const isTcp = kindOf(transportOf(handle)) === 'tcp';
        trace(socketId(handle), endsOf(handle).family, isTcp ? IPPROTO_TCP : 0, ret);
      };
      return listenToStreams({
        sent: (handle, _id, bytes, status) => tell(sent, handle, status < 0 ? status : bytes),
        // The end of the data is a length of 0.
        read: (handle, bytes) => tell(received, handle, bytes === UV_EOF ? 0 : bytes),
      });
    },
  };
}

/** The end that a text names: 127.0.0.1:80, [::1]:80. */
function endpointOf(text: string): { address: string; port: number } {
  const colon = text.lastIndexOf(':');
  const address = text.slice(0, colon);
  return { address: address.startsWith('[') ? address.slice(1, -1) : address, port: Number(text.slice(colon + 1)) };
}
