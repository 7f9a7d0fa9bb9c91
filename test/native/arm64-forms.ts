/** How a program for arm64 comes to have sites, as flags of gcc. */
export const ARM64_FORMS = {
  '-fpatchable-function-entry=2': ['-fpatchable-function-entry=2', '-g'],
  '-fpatchable-function-entry=4,2, with landing pads and signed return addresses': [
    '-fpatchable-function-entry=4,2',
    '-mbranch-protection=standard',
  ],
  '-pg': ['-pg'],
  '-pg, with signed return addresses': ['-pg', '-mbranch-protection=standard'],
  'no sites': ['-O2'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
