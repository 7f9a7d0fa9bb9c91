import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runningText } from './running-instead.js';

const process = (pid: number, name: string) => ({ pid, program: { name, kind: 'own' as const } });

test('a command that started nothing is told what runs already', () => {
  assert.equal(runningText([]), '');
  assert.equal(runningText([process(4711, 'app.js')]), '; 4711 (app.js) runs already: choose it with --pid 4711');
  assert.equal(
    runningText([process(4711, 'app.js'), process(9, 'b.js')]),
    '; 4711 (app.js), 9 (b.js) run already: choose one with --pid PID',
  );
});
