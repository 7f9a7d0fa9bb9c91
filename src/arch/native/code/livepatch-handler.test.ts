import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OwnProcess } from '../addon/own-process.js';
import { threadIdOffset } from '../control/thread-id-offset.js';
import { processMaps } from '../process/process-maps.js';
import type { Assembler } from '../x86-64/assembler.js';
import { R8, R9, RAX, RCX, RDI, RDX, RSI } from '../x86-64/registers.js';
import { KLP, type ThreadList, threadListBytes } from './klp-state.js';
import { buildLivepatchHandler } from './livepatch-handler.js';
import { place, poke } from './testing/placed-code.js';

const ARGUMENTS = [5, 7, 11, 13, 17, 19];
const weighed = ARGUMENTS.reduce((sum, one) => sum * 31 + one, 0);

/** Emits a function that returns its six arguments, each with a weight of its own, times 31 and `last`. */
function emitWeighing(code: Assembler, last: number): number {
  const start = code.here;
  code.xor(RAX, RAX, 32);
  for (const register of [RDI, RSI, RDX, RCX, R8, R9]) {
    code.imulBy(RAX, RAX, 31);
    code.add(RAX, register);
  }
  code.imulBy(RAX, RAX, 31);
  code.add(RAX, last);
  code.ret();
  return start;
}

const OWN = 1;
const REPLACEMENT = 2;
const word = (value: number): Uint8Array => new Uint8Array(BigInt64Array.of(BigInt(value)).buffer);

for (const [how, hasOffset] of [
  ['the C library', true],
  ['the system', false],
] as const) {
  const skip = process.arch !== 'x64' && 'machine code of this processor is not traced';
  test(`a live patch's handler chooses by the patch's word, and by the thread's id from ${how}`, { skip }, () => {
    const own = new OwnProcess();
    const tidOffset = hasOffset ? threadIdOffset(process.pid, processMaps(process.pid)) : undefined;
    assert.equal(tidOffset !== undefined, hasOffset);
    const state = own.mapAnonymous(4096).address;
    const replacement = place(own, (code) => emitWeighing(code, REPLACEMENT));
    const handler = place(own, (code) => {
      const start = code.here;
      const site = {
        body(at: number): Uint8Array {
          const body = place(own, (other) => emitWeighing(other, OWN));
          const bytes = Buffer.from([0xff, 0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
          bytes.writeBigInt64LE(BigInt(body), 6);
          assert.ok(at > start);
          return bytes;
        },
      };
      code.append(buildLivepatchHandler(start, { site, replacement, state, tidOffset }));
      return start;
    });
    const runs = (): number => Number(own.call(handler, ...ARGUMENTS)) - weighed * 31;
    const listed = (list: ThreadList): void => {
      poke(state + 64, threadListBytes(list));
      poke(state, word(state + 64));
    };
    assert.equal(runs(), OWN);
    poke(state, word(KLP.PATCHED));
    assert.equal(runs(), REPLACEMENT);
    const others = Array.from({ length: 100 }, (_, i) => process.pid + 1 + i);
    for (const tids of [others, [process.pid, ...others], [...others, process.pid], [process.pid]]) {
      const isListed = tids.includes(process.pid);
      listed({ state: KLP.UNPATCHED, tids });
      assert.equal(runs(), isListed ? OWN : REPLACEMENT);
      listed({ state: KLP.PATCHED, tids });
      assert.equal(runs(), isListed ? REPLACEMENT : OWN);
    }
    poke(state, word(KLP.UNPATCHED));
    assert.equal(runs(), OWN);
  });
}
