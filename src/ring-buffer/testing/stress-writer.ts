/** A thread that writes events at full speed until it is told to stop; between them it moves its ring when it is told to. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { seededRandom } from '../../base/testing/random.js';
import { RingBufferWriter } from '../writer.js';
import { fillEvent } from './seeded-event.js';

export interface StressWriterData {
  readonly memory: SharedArrayBuffer;
  readonly seed: number;
  readonly maxWords: number;
  /** Word 0: not 0 ends it. */
  readonly stop: SharedArrayBuffer;
}

/** What it did: events written, events refused. */
export interface StressWriterResult {
  readonly written: number;
  readonly refused: number;
}

const { memory, seed, maxWords, stop } = workerData as StressWriterData;
const random = seededRandom(seed);
const sizes = Uint16Array.from({ length: 4096 }, () => 2 + random(maxWords - 1));
const writer = new RingBufferWriter(memory);
const stopWord = new Int32Array(stop);
const port = parentPort!;
let written = 0;
let refused = 0;
/** Not the clock's: reading that would leave page switches, where things may go wrong, far apart. */
let ts = 0;

port.postMessage('writing');
while (Atomics.load(stopWord, 0) === 0) {
  for (let i = 0; i < 1000; i++) {
    const words = sizes[(written + refused) & 4095]!;
    const at = writer.reserve(words << 2, ++ts);
    if (at < 0) {
      refused++;
      continue;
    }
    fillEvent(writer, at, words, written++);
    writer.commit();
  }
  const command = receiveMessageOnPort(port);
  if (command !== undefined) writer.moveTo(command.message as SharedArrayBuffer);
}
port.postMessage({ written, refused } satisfies StressWriterResult);
