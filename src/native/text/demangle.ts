import { spawnSync } from 'node:child_process';

/** Names of C++ and Rust as people write them, if c++filt (binutils) is installed. */

/** What compilers put before a name that they have mangled. */
const MANGLED = /^_(Z|R)/;
/** A name that is longer loses the arguments of its templates: nobody reads them. */
const LONGEST = 100;

/** The arguments of a template that have none themselves. */
const INNERMOST = /<[^<>]*>/g;

/** `std::map<int, std::less<int> >::find` without what stands between the outermost angle brackets. */
function withoutArguments(name: string): string {
  if (name.length <= LONGEST) return name;
  // What is no bracket: operator<<, operator->, operator<=>.
  const spelled = name.replace(/operator(<=>|<<=?|>>=?|->\*?|<=?|>=?)/, 'operator');
  let short = spelled;
  for (let longer = ''; longer !== short; ) {
    longer = short;
    short = longer.replaceAll(INNERMOST, '');
  }
  return short;
}

/** The names in their order, those that were mangled without parameters: `_ZN2v87Isolate3NewEv` is `v8::Isolate::New`. */
export function demangled(names: readonly string[]): string[] {
  const mangled = names.filter((name) => MANGLED.test(name));
  if (mangled.length === 0) return [...names];
  const { status, stdout } = spawnSync('c++filt', ['-p'], {
    input: `${mangled.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const spelled = status === 0 ? stdout.split('\n') : [];
  // A name for each, and the end of the last line.
  if (spelled.length !== mangled.length + 1) return [...names];
  let next = 0;
  return names.map((name) => (MANGLED.test(name) ? withoutArguments(spelled[next++]!) : name));
}
