// The table of docs/launching.md.

const BEGIN = '<!-- begin: node scripts/launch-forms.mjs -->';
const END = '<!-- end -->';

const TITLES = {
  entry: 'The program',
  typescript: 'TypeScript and compilers',
  preloads: 'Preloads and hooks of `require`',
  hooks: 'Hooks of `import`, and tools that use them',
  processes: 'Threads and processes',
  flags: 'Options and variables of Node',
  tests: 'Tests and coverage',
  images: 'Snapshots and single executables',
  layouts: 'Layouts of packages',
};

const keyOf = ({ run, env, layout }) => JSON.stringify([run, env ?? {}, layout ?? '']);
const code = (text) => `\`${text.replaceAll('|', '\\|')}\``;

/** What stands in a row: what is typed, with its variables. */
const nameOf = ({ run, env = {}, cwd, layout }) => {
  const set = Object.entries(env).map(([name, value]) => (/\s/.test(value) ? `${name}="${value}"` : `${name}=${value}`));
  const notes = [...(cwd ? [`in ${cwd}/`] : []), ...(layout ? [layout] : [])];
  return `${code([...set, run].join(' '))}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
};

const cellOf = (result) => {
  if (result === undefined) return 'not run';
  if (result.skipped !== undefined) return '';
  const isTraced = result.events > 0 ? 'traced' : 'untraced';
  return result.differences.length > 0 ? `${isTraced}, ${result.differences.join(' and ')} differ` : isTraced;
};

const whyOf = ({ untraced, differs }) => {
  const reasons = typeof untraced === 'string' ? [untraced] : Object.values(untraced ?? {});
  return [...new Set([...reasons, ...(differs ? [differs] : [])])].join('; ');
};

/** The page with a new table: an empty cell is a version that does not have the form. */
export function withTable(page, forms, results, majors) {
  const found = new Map(results.map((result) => [`${result.major} ${keyOf(result)}`, result]));
  const sections = Object.entries(forms).map(([group, list]) => {
    const rows = list.map((form) => {
      const cells = majors.map((major) => cellOf(found.get(`${major} ${keyOf(form)}`)));
      return `| ${nameOf(form)} | ${cells.join(' | ')} | ${whyOf(form)} |`;
    });
    const head = `| | ${majors.join(' | ')} | why |\n| --- | ${majors.map(() => '---').join(' | ')} | --- |`;
    return `### ${TITLES[group]}\n\n${head}\n${rows.join('\n')}\n`;
  });
  const before = page.slice(0, page.indexOf(BEGIN) + BEGIN.length);
  return `${before}\n\n${sections.join('\n')}\n${page.slice(page.indexOf(END))}`;
}
