import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNoClock } from './counter-facts.js';

/** A machine whose processor has these flags, and whose kernel has chosen a clocksource. */
const machine =
  (flags: string, clocksource: string) =>
  (file: string): string =>
    file === '/proc/cpuinfo'
      ? `processor\t: 0\nflags\t\t: fpu ${flags} sse\n\nprocessor\t: 1\n`
      : clocksource && `${clocksource}\n`;

test('the counter is a clock if it is constant, never stops, and the kernel trusts it', () => {
  assert.equal(whyNoClock('x64', machine('constant_tsc nonstop_tsc', 'tsc')), undefined);
  assert.equal(whyNoClock('x64', machine('tsc constant_tsc', 'tsc')), '/proc/cpuinfo does not say nonstop_tsc');
  assert.equal(whyNoClock('x64', machine('', 'tsc')), '/proc/cpuinfo does not say constant_tsc, nonstop_tsc');
  assert.equal(
    whyNoClock('x64', machine('constant_tsc nonstop_tsc', 'kvm-clock')),
    "the kernel's clocksource is kvm-clock, not tsc",
  );
  assert.equal(whyNoClock('x64', machine('constant_tsc nonstop_tsc', '')), "the kernel's clocksource is unknown, not tsc");
  assert.equal(whyNoClock('arm64', machine('', 'arch_sys_counter')), undefined);
  assert.equal(whyNoClock('s390x', machine('', 'tod')), 'fentry has no code for it on s390x');
});
