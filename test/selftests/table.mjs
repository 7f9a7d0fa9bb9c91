/** What ftracetest calls the outcomes, from its log: `[1] description [PASS]`, and after those `[2] (instance)  description [FAIL]`. */
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

/** The page's table: a row a test, with the reason where it does not pass. */
export const table = (results) =>
  [
    '| test | what it tests | top level | in an instance | why not |',
    '| --- | --- | --- | --- | --- |',
    ...results.map(
      ({ test, outcomes, reason }) =>
        `| ${test.name} | ${test.description} | ${cell(outcomes.top)} | ${cell(outcomes.instance)} | ${reason ?? ''} |`,
    ),
  ].join('\n');
