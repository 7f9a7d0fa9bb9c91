/**
 * What ftracetest calls the outcomes, from its log: `[1] description [PASS]`, and after those
 * `[2] (instance)  description [FAIL]`.
 */
const LINE = /^\[\d+\]( \(instance\) )?.*\t\[([A-Z]+)\]$/;

/** The outcomes of one run of one test: at the top level, and in an instance where the test asks for one. */
export const outcomesOf = (log) => {
  const outcomes = { top: undefined, instance: undefined };
  for (const line of log.split('\n')) {
    const [, instance, outcome] = LINE.exec(line) ?? [];
    if (outcome !== undefined) outcomes[instance === undefined ? 'top' : 'instance'] = outcome;
  }
  return outcomes;
};

const cell = (outcome) => (outcome === undefined ? '' : outcome === 'PASS' ? 'pass' : outcome.toLowerCase());

/** XFAIL: the kernel is expected to refuse what the test tries, and it was refused. */
const isGood = (outcome) => outcome === 'PASS' || outcome === 'XFAIL';

/** Whether all that was run of a test has passed. */
export const passed = ({ top, instance }, onInstance) => isGood(top) && (!onInstance || isGood(instance));

/** The outcomes of one run of a test in one cell: at the top level, and in an instance. */
export const outcomeCell = ({ top, instance }) => (instance === undefined ? cell(top) : `${cell(top)}, ${cell(instance)}`);

/** What runs differ in: the columns of the page. */
export const MODES = ['real', 'replaced'];

/** The page's table: a row a test, with the reason where it does not pass. `cells` has what to show in each mode. */
export const table = (tests, cells, reasons) =>
  [
    '| test | what it tests | real tools | ping replaced | why not |',
    '| --- | --- | --- | --- | --- |',
    ...tests.map(({ name, description }) => {
      const shown = MODES.map((mode) => cells[name]?.[mode] ?? '');
      return `| ${name} | ${description} | ${shown.join(' | ')} | ${reasons[name] ?? ''} |`;
    }),
  ].join('\n');

/** How many tests have passed by the cells of a mode. */
export const passing = (cells, mode) =>
  Object.values(cells).filter((one) => /^(pass|xfail)(, (pass|xfail))?$/.test(one[mode] ?? '')).length;
