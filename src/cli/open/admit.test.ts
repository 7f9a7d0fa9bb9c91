import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PageRequest, REFUSALS, refusalOf } from './admit.js';

const SERVER = { host: '127.0.0.1:4711', token: 'x'.repeat(43) };
/** What the page itself asks for. */
const DATA: PageRequest = {
  method: 'GET',
  host: SERVER.host,
  origin: undefined,
  fetchSite: 'same-origin',
  fetchMode: 'cors',
  fetchDest: 'empty',
  token: SERVER.token,
  contentType: undefined,
  asks: 'data',
};
/** A person who follows the link. */
const VISIT: PageRequest = {
  ...DATA,
  fetchSite: 'none',
  fetchMode: 'navigate',
  fetchDest: 'document',
  token: undefined,
  asks: 'document',
};
const POST: PageRequest = { ...DATA, method: 'POST', origin: `http://${SERVER.host}`, contentType: 'application/json' };

const [HOST, ORIGIN, SITE, METHOD, TOKEN, JSON_ONLY] = REFUSALS.map(({ words }) => words);

/** Who asks, and why it is refused; undefined: it is not. */
const CASES: readonly (readonly [who: string, request: PageRequest, refusal: string | undefined])[] = [
  ['the page', DATA, undefined],
  ['the page, which posts', POST, undefined],
  ['a person with the link', VISIT, undefined],
  ['a person who comes from a link of another page', { ...VISIT, fetchSite: 'cross-site' }, undefined],
  [
    'the document, which loads the script',
    { ...VISIT, fetchSite: 'same-origin', fetchMode: 'no-cors', fetchDest: 'script', asks: 'page' },
    undefined,
  ],
  [
    'a program without a browser, with the token',
    { ...DATA, fetchSite: undefined, fetchMode: undefined, fetchDest: undefined },
    undefined,
  ],
  ['a name that another site has bound to the address', { ...DATA, host: 'evil.example:4711' }, HOST],
  ['localhost', { ...DATA, host: 'localhost:4711' }, HOST],
  ['another port', { ...DATA, host: '127.0.0.1:80' }, HOST],
  ['no host', { ...DATA, host: undefined }, HOST],
  ['the document by another name', { ...VISIT, host: 'evil.example:4711' }, HOST],
  ['the origin of another site', { ...DATA, origin: 'https://evil.example' }, ORIGIN],
  ['the origin of another port', { ...DATA, origin: 'http://127.0.0.1:80' }, ORIGIN],
  ['a page in a file', { ...DATA, origin: 'null' }, ORIGIN],
  ['another site, with the token', { ...DATA, fetchSite: 'cross-site' }, SITE],
  ['another port of this machine', { ...DATA, fetchSite: 'same-site' }, SITE],
  ['data typed into the address', { ...DATA, fetchSite: 'none', fetchMode: 'navigate', fetchDest: 'document' }, SITE],
  ['a frame of another site', { ...VISIT, fetchSite: 'cross-site', fetchDest: 'iframe' }, SITE],
  [
    'a script of another site',
    { ...VISIT, fetchSite: 'cross-site', fetchMode: 'no-cors', fetchDest: 'script', asks: 'page' },
    SITE,
  ],
  ['a visit to a part of the page', { ...VISIT, fetchSite: 'cross-site', asks: 'page' }, SITE],
  ['a method that nothing has', { ...DATA, method: 'DELETE' }, METHOD],
  ['a preflight', { ...DATA, method: 'OPTIONS', token: undefined }, METHOD],
  ['what is posted to the document', { ...VISIT, method: 'POST' }, METHOD],
  ['no token', { ...DATA, token: undefined }, TOKEN],
  ['an empty token', { ...DATA, token: '' }, TOKEN],
  ['a wrong token of the right length', { ...DATA, token: 'y'.repeat(43) }, TOKEN],
  ['a part of the token', { ...DATA, token: SERVER.token.slice(1) }, TOKEN],
  ['a form', { ...POST, contentType: 'text/plain' }, JSON_ONLY],
  ['a post without a type', { ...POST, contentType: undefined }, JSON_ONLY],
];

for (const [who, request, refusal] of CASES) {
  test(`${refusal === undefined ? 'admitted' : 'refused'}: ${who}`, () => assert.equal(refusalOf(request, SERVER), refusal));
}
