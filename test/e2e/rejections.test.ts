import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Sandbox } from './support/program.js';

/** Each function makes a promise that is rejected and never handled; the names of its lines are below. */
const REJECTING = `
process.on('unhandledRejection', () => {});
async function throwsNothing() { throw undefined; }
async function throwsLate() {
  await null;
  throw undefined;
}
async function awaitsOther() { await throwsLate(); }
function rejectsAtOnce() { return Promise.reject(); }
function rejectsInside() { return new Promise((_resolve, reject) => { reject(); }); }
function rejectsLater() {
  return new Promise((_resolve, reject) => setTimeout(() => reject(), 1));
}
function throwsInReaction() { return Promise.resolve().then(() => { throw new Error('known'); }); }
async function isHandled() {
  try { await throwsNothing(); } catch {}
}
const queue = [];
function acquires() { return new Promise((_resolve, reject) => queue.push(reject)); }
function refuses() { acquires(); setTimeout(drain, 1); }
function drain() { for (const reject of queue.splice(0)) reject(); }
function reads() { return require('node:fs/promises').readFile('/nowhere'); }
function follows() { return new Promise((resolve) => resolve(throwsLate())); }
const all = [throwsNothing, throwsLate, awaitsOther, rejectsAtOnce, rejectsInside, rejectsLater, throwsInReaction, isHandled,
  refuses, reads, follows];
process.stdin.once('data', async () => {
  for (const one of all) {
    one();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  console.log('done');
});
console.log('ready');
`;

/** The unhandled rejections, each with its text, where it was rejected, by whom, and who made the promise. */
const EXPECTED = [
  'undefined: (null) at=3 rejecter=throwsNothing maker=throwsNothing',
  'undefined: (null) at=4 rejecter=throwsLate maker=throwsLate',
  'undefined: (null) at=8 rejecter=awaitsOther maker=awaitsOther',
  'undefined: (null) at=9 rejecter=rejectsAtOnce maker=rejectsAtOnce',
  'undefined: (null) at=10 rejecter=rejectsInside.Promise@10 maker=rejectsInside',
  'undefined: (null) at=12 rejecter=rejectsLater.setTimeout@12 maker=rejectsLater',
  'Error: known at=14 rejecter=0 maker=throwsInReaction',
  'undefined: (null) at=21 rejecter=drain maker=acquires',
  "Error: ENOENT: no such file or directory, open '/nowhere' at= rejecter=0 maker=reads",
  'undefined: (null) at= rejecter=0 maker=follows',
];

test('an unhandled rejection says where it was rejected, by whom, and who made the promise', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(REJECTING);
  await once(program.stdout!, 'data');
  const client = sandbox.client(program.pid);
  await client.write('events/exceptions/unhandled_rejection/enable', '1');
  program.stdin!.write('go');
  await once(program.stdout!, 'data');
  await client.write('events/exceptions/unhandled_rejection/enable', '0');
  const found = [...(await client.read('trace')).matchAll(/unhandled_rejection: (.*)/g)].map(([, text]) =>
    text!
      .replace(/promise=\d+ /, '')
      .replace(/at=node:\S+/, 'at=')
      .replace(/at=\S*program\.cjs:(\d+):\d+/, 'at=$1')
      .replaceAll(/\+0x[0-9a-f]+\/0x[0-9a-f]+/g, ''),
  );
  assert.deepEqual(found, EXPECTED);
});
