/** Lines of an output that a page shows when the step does not say. */
const LINES = 10;

/** What the page shows of an output. */
function shown(output, lines = LINES) {
  const all = output.replace(/\n$/, '').split('\n');
  const head = all.slice(0, lines).map((line) => line.trimEnd());
  return all.length > lines ? [...head, `[... ${all.length - lines} more lines]`] : output === '' ? [] : head;
}

/**
 * Types the commands of each section into a shell; `$PID` in them is the process.
 * @returns the sections as Markdown, and those answers that do not match what the step promises
 */
export async function typeSections(shell, sections, pid) {
  const parts = [];
  const failures = [];
  for (const { title, says, steps, ends } of sections) {
    const typed = [];
    for (const { run, shows, lines } of steps) {
      const command = run.replaceAll('$PID', pid);
      const output = await shell.type(command);
      if (!shows.test(output))
        failures.push(`${title}: ${command}\n  printed ${JSON.stringify(output.slice(0, 1500))}\n  which is not ${shows}`);
      typed.push(`# ${command}`, ...shown(output, lines));
    }
    const text = (words) => (words === undefined ? '' : `${words}\n\n`);
    parts.push(
      `## ${title}\n\n${text(says)}\`\`\`console\n${typed.join('\n')}\n\`\`\`\n${ends === undefined ? '' : `\n${ends}\n`}`,
    );
  }
  return { parts, failures };
}
