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

const NOT_RUN = 'not run';

const cellOf = (result) => {
  if (result.skipped !== undefined) return '';
  const isTraced = result.events > 0 ? 'traced' : 'untraced';
  return result.differences.length > 0 ? `${isTraced}, ${result.differences.join(' and ')} differ` : isTraced;
};

const whyOf = ({ untraced, differs }) => {
  const reasons = typeof untraced === 'string' ? [untraced] : Object.values(untraced ?? {});
  return [...new Set([...reasons, ...(differs ? [differs] : [])])].join('; ');
};

/** What a page says of each form, by version and form: `20 | node app.cjs`, as its row begins. */
const cellsOf = (page, majors) =>
  new Map(
    page
      .slice(page.indexOf(BEGIN), page.indexOf(END))
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => {
        const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
        return majors.map((major, i) => [`${major} ${cells[1]}`, cells[2 + i]]);
      }),
  );

/** Says whether a form has no result on a version of Node, or one that differs, on the page. */
export function isOpenOn(page, majors) {
  const cells = cellsOf(page, majors);
  return (form, major) => {
    const cell = cells.get(`${major} ${nameOf(form)}`) ?? NOT_RUN;
    return cell === NOT_RUN || cell.endsWith('differ');
  };
}

/** The page with a new table: an empty cell is a version that does not have the form. What was not run keeps its cell. */
export function withTable(page, forms, results, majors) {
  const before = cellsOf(page, majors);
  const found = new Map(results.map((result) => [`${result.major} ${keyOf(result)}`, result]));
  const sections = Object.entries(forms).map(([group, list]) => {
    const rows = list.map((form) => {
      const cells = majors.map((major) => {
        const result = found.get(`${major} ${keyOf(form)}`);
        return result === undefined ? (before.get(`${major} ${nameOf(form)}`) ?? NOT_RUN) : cellOf(result);
      });
      return `| ${nameOf(form)} | ${cells.join(' | ')} | ${whyOf(form)} |`;
    });
    const head = `| | ${majors.join(' | ')} | why |\n| --- | ${majors.map(() => '---').join(' | ')} | --- |`;
    return `### ${TITLES[group]}\n\n${head}\n${rows.join('\n')}\n`;
  });
  return `${page.slice(0, page.indexOf(BEGIN) + BEGIN.length)}\n\n${sections.join('\n')}\n${page.slice(page.indexOf(END))}`;
}
