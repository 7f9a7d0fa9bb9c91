import type { ScriptFacts } from '../conditions.js';

/** What the verdicts of stap in test/parity/stap were recorded with. */
export const TEST_FACTS: ScriptFacts = {
  arch: 'x86_64',
  kernelVersion: '6.1.0',
  kernelRelease: '6.1.0',
  systemtapVersion: '4.8',
  privilege: 'stapdev',
  runtime: 'kernel',
  isGuru: false,
  config: () => '',
};
