// What asks the servers of the questions while the commands are typed. Each returns a function of the server's address and of
// isOver().
import { Agent, request } from 'node:http';

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const agent = new Agent({ keepAlive: true });

/** Resolves when the answer is there, or the server has ended in the middle of it. */
const got = (url, { method = 'GET', body = '' } = {}) =>
  new Promise((resolve) => {
    const asked = request(url, { method, agent }, (response) => response.on('error', resolve).on('close', resolve).resume());
    asked.on('error', resolve).end(body);
  });

/** Asks for all paths at once, again and again, until the question is answered. */
export const again =
  (...paths) =>
  async (url, isOver) => {
    for (; !isOver(); await pause(20)) await Promise.all(paths.map((path) => got(url + path)));
  };

/** Asks for each path once, and waits for the answer. */
export const once =
  (...paths) =>
  async (url) => {
    for (const path of paths) await got(url + path);
  };

/** Sends something that is never answered. */
export const post = (value) => async (url) => {
  await got(url, { method: 'POST', body: JSON.stringify(value) });
};
