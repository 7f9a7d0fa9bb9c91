import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeVariables, variablesText, writtenOut } from './place-variables.js';

const FILE = `ffffffff810000ad sum+0x46 /app/shop.js:7
\treceiver\tthis
\tparameter\tlist
\tconst\tone
\tclosure\ttax
\tmodule const\trates
`;

test('-V shows what a probe can read; with --externs what the module has', () => {
  const found = placeVariables(FILE);
  assert.equal(found.address, '0xffffffff810000ad');
  assert.equal(
    variablesText('sum:3', found, true),
    `Available variables at sum:3
\t@<sum+70>
\t\treceiver\tthis
\t\tparameter\tlist
\t\tconst\tone
\t\tclosure\ttax
\t\tmodule const\trates
`,
  );
  assert.doesNotMatch(variablesText('sum:3', found, false), /module/);
});

test('$vars and $params stand for names', () => {
  assert.deepEqual(writtenOut(['a=list', '$vars', 'x'], placeVariables(FILE)), ['a=list', 'list', 'one', 'x']);
  assert.deepEqual(writtenOut(['$params'], placeVariables(FILE)), ['list']);
});
