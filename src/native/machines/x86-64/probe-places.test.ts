import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Label, mem } from '../../machine/operands.js';
import { Assembler } from './assembler.js';
import { codePlaces, NO_JUMP_PLACE, NO_PLACE } from './probe-places.js';
import { RAX, RCX, RDI, RSP } from './registers.js';

const NOWHERE = (): boolean => false;

/** The places of a function: offset, bytes that a jump takes, or the reason why it cannot, or why nothing can. */
function placesOf(
  emit: (code: Assembler) => void,
  isTarget: (offset: number) => boolean = NOWHERE,
  site?: readonly [number, number],
): readonly (readonly [number, number | string])[] {
  const code = new Assembler();
  emit(code);
  return codePlaces(Buffer.from(code.finish()), isTarget, site).map(({ offset, length, noJump, reason }) => [
    offset,
    reason ?? noJump ?? length,
  ]);
}

/** Three bytes each. */
const three = (code: Assembler): void => code.mov(RAX, RCX);

describe('the places between the instructions of a function', () => {
  it('have room where 5 bytes of instructions follow', () => {
    const places = placesOf((code) => {
      three(code);
      three(code);
      code.add(RAX, 0x1000);
      code.ret();
    });
    assert.deepEqual(places, [
      [0, 6],
      [3, 10],
      [6, 7],
      [13, NO_JUMP_PLACE.short],
    ]);
  });

  it('have none where the midst is jumped to: from the function, from another one, from somewhere', () => {
    const loop = placesOf((code) => {
      const again = new Label();
      three(code);
      code.bind(again);
      three(code);
      three(code);
      code.jump('ne', again);
      code.ret();
    });
    assert.deepEqual(loop, [
      [0, NO_JUMP_PLACE.target],
      [3, 6],
      [6, 9],
      [9, 6],
      [15, NO_JUMP_PLACE.short],
    ]);
    const twice = (code: Assembler): void => {
      three(code);
      three(code);
      code.ret();
    };
    assert.deepEqual(placesOf(twice, (offset) => offset === 3)[0], [0, NO_JUMP_PLACE.target]);
    const computed = placesOf((code) => {
      three(code);
      three(code);
      code.lea(RAX, mem(RDI, 0x1000));
      code.jmp(RAX);
    });
    assert.deepEqual(computed, [
      [0, NO_JUMP_PLACE.indirect],
      [3, NO_JUMP_PLACE.indirect],
      [6, 7],
      [13, NO_JUMP_PLACE.short],
    ]);
  });

  it('have none where a call returns to the midst, or where the function’s site is', () => {
    const called = placesOf((code) => {
      code.call(RAX);
      three(code);
      code.push(RSP);
      code.call(0);
    });
    assert.deepEqual(called, [
      [0, NO_JUMP_PLACE.call],
      [2, 9],
      [5, 6],
      [6, 5],
    ]);
    const behind = placesOf(
      (code) => {
        code.bytes(0x0f, 0x1f, 0x44, 0x00, 0x00);
        three(code);
        three(code);
      },
      NOWHERE,
      [0, 5],
    );
    assert.deepEqual(behind, [
      [0, NO_PLACE.site],
      [5, 6],
      [8, NO_JUMP_PLACE.short],
    ]);
  });

  it('end at what is no instruction', () => {
    assert.deepEqual(
      placesOf((code) => code.bytes(0x90, 0x06, 0x90)),
      [
        [0, NO_JUMP_PLACE.short],
        [1, NO_PLACE.unknown],
      ],
    );
  });
});
