import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** The port of a server. */
export const portOf = (server: net.Server): number => (server.address() as AddressInfo).port;

/** A connection to a server that answers what it gets and ends when the client does: `client` sends, and hears the answer. */
export async function echoOnce(text: string): Promise<number> {
  const server = net.createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  const client = net.connect(port, '127.0.0.1');
  client.end(text);
  client.resume();
  await once(client, 'close');
  server.close();
  await once(server, 'close');
  return port;
}
