import { LIVEPATCH_SECTIONS } from './livepatch-sections.mjs';
import { PROBE_SECTIONS } from './probe-sections.mjs';
import { LEFT_OUT, SECTIONS } from './sections.mjs';

const TYPED = '`node scripts/walkthrough.mjs` types the commands again, checks each answer, and writes this page.\n';

/** The pages of docs/ that are typed: the name without `.md`, what stands before the sections, and behind them. */
export const PAGES = [
  {
    name: 'ftrace-walkthrough',
    head: [
      '# The kernel’s documentation, typed against a Node process\n',
      'Every section of the kernel’s `Documentation/trace/ftrace.rst` that has a meaning for a Node process, with its commands,',
      'typed in a shell of `fentry exec` against the shop (`examples/shop`, an Express server) under load. Only the names of functions',
      `are the shop’s. ${TYPED}`,
    ],
    sections: SECTIONS,
    end: ['## Sections without a meaning here\n', ...LEFT_OUT.map(({ title, reason }) => `- **${title}**: ${reason}`)],
  },
  {
    name: 'probe-walkthrough',
    head: [
      '# Probes, typed against a Node process\n',
      'The usage examples of the kernel’s `Documentation/trace/kprobetrace.rst`, typed in a shell of `fentry exec` against the shop',
      `(\`examples/shop\`, an Express server) under load. [Probes](probes.md) has the grammar. ${TYPED}`,
    ],
    sections: PROBE_SECTIONS,
  },
  {
    name: 'livepatch-walkthrough',
    head: [
      '# Live patches, typed against a Node process\n',
      'A bug of the shop (`examples/shop`, an Express server) is fixed while it serves, typed in a shell of `fentry exec`. `$SHOP` is the folder',
      `of the shop, \`$URL\` its address. [Live patching](livepatch.md) says what the files are. ${TYPED}`,
    ],
    sections: LIVEPATCH_SECTIONS,
  },
];
