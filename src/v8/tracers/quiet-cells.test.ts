import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Fgraph, QUIET } from '../../ftrace/fgraph.js';
import type { PortCells, Trampoline } from './cells.js';
import { QuietCells } from './quiet-cells.js';

it('says while a site’s call runs that it is fentry’s own, once native text is traced too', () => {
  const fgraph = new Fgraph(
    () => 0,
    () => {},
  );
  let armed: Trampoline | undefined;
  const cells: PortCells = {
    arm(_n, trampoline) {
      armed = trampoline;
      return true;
    },
    disarm: () => true,
    setCall() {},
  };
  const quiet = new QuietCells(cells, fgraph);
  const seen: number[] = [];
  const trampoline: Trampoline = (n) => {
    seen.push(fgraph.state[QUIET]!);
    if (n === 7) throw new RangeError('thrown');
    return n;
  };
  quiet.arm(1, trampoline);
  assert.equal(armed, trampoline);
  quiet.begin();
  quiet.arm(1, trampoline);
  assert.equal(armed!(3), 3);
  assert.throws(() => armed!(7), RangeError);
  assert.deepEqual(seen, [1, 1]);
  assert.equal(fgraph.state[QUIET], 0);
  // Callers are looked for behind what the site calls.
  assert.equal(quiet.findCaller((called) => Number(called === armed))(trampoline), 1);
});

it('says so for the rest of an outer call, too', () => {
  const { state } = new Fgraph(
    () => 0,
    () => {},
  );
  const quiet = new QuietCells({ arm: () => true, disarm: () => true, setCall() {} }, { state });
  const rest = quiet.during(() => {
    quiet.during(() => {});
    return state[QUIET];
  });
  assert.deepEqual([rest, state[QUIET]], [1, 0]);
});
