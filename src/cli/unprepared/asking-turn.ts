import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between attempts, and after which another one is not waited for any more. */
const LOOK = 20;
const PATIENCE = 5000;

/**
 * Waits until no other command asks a process that runs without fentry: two who hold the same thread would let it go on for each
 * other, and close each other's inspector. The system forgets the turn of a command that ends.
 * @returns what ends the turn
 */
export async function askingTurn(pid: number): Promise<() => void> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; await sleep(LOOK)) {
    const server = createServer();
    if (await listens(server, `\0fentry-asks-${pid}`)) return () => void server.close();
  }
  return () => {};
}

/** False if another one has the name. Where the system has no such names, nobody is waited for. */
async function listens(server: Server, name: string): Promise<boolean> {
  try {
    server.listen(name);
    await once(server, 'listening');
    server.unref();
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EADDRINUSE';
  }
}
