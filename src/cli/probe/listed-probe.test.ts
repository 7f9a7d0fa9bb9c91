import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listedProbes, probeRow } from './listed-probe.js';

test('probes are listed with their places and what they fetch; other events are left out', () => {
  const text = `p:probe/sum_L3 sum:3 one=one total=total:u32
r4:probe/ends sum arg1=$retval
f:fprobes/all__exit get*%return
s:latency u64 us
e:eprobes/slow synthetic.latency us=$us
`;
  assert.equal(
    listedProbes(text).map(probeRow).join(''),
    `  probe:sum_L3         (on sum:3 with one total=total:u32)
  probe:ends           (on sum%return with arg1=$retval)
  fprobes:all__exit    (on get*%return)
`,
  );
});
