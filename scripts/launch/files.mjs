// The files of the programs that scripts/launch/forms.mjs starts, by their paths. Each program calls functions whose names begin
// with `launched`.
import { transformSync } from 'esbuild';
import typescript from 'typescript';

const fail = (name) => `function ${name}(value) {
  if (value === undefined) return 1;
  throw new Error('failed: ' + value);
}
`;
const print = (name) => `function ${name}(word) {
  return 'hello ' + word;
}
console.log(${name}(__WORD__));
`;
const program = (name, word) => print(name).replace('__WORD__', JSON.stringify(word));

/** CommonJS, ES modules, TypeScript: what Node runs by itself. */
const ENTRIES = {
  'app.cjs': program('launchedCommon', 'common'),
  'app.mjs': program('launchedModule', 'module'),
  'app.js': program('launchedJs', 'js'),
  bare: program('launchedBare', 'bare'),
  'folder/index.js': program('launchedIndex', 'index'),
  'esm/package.json': '{ "type": "module" }',
  'esm/app.js': `import { basename } from 'node:path';\n${program('launchedTyped', 'type module')}console.log(basename(import.meta.url));\n`,
  'esm/bare': program('launchedBareModule', 'bare module'),
  'odd #%20 näme/app.cjs': program('launchedOdd', 'odd'),
  'odd #%20 näme/app.mjs': program('launchedOddModule', 'odd module'),
  'link.cjs': { link: 'app.cjs' },
  'linked/package.json': '{ "name": "linked", "main": "main.cjs" }',
  'data.json': '{ "a": 1 }',
  'broken.cjs': 'function launchedBroken( {\n',
  'broken.mjs': 'export function launchedBroken( {\n',
  'throws.cjs': `${fail('launchedFail')}launchedFail();\nlaunchedFail('here');\n`,
  'throws.mjs': `${fail('launchedFail')}launchedFail();\nlaunchedFail('here');\n`,
  'rejects.cjs': `${fail('launchedFail')}launchedFail();\nPromise.reject(new Error('rejected'));\n`,
  'rejects.mjs': `async function launchedFail() {\n  throw new Error('rejected');\n}\nawait launchedFail();\n`,
  'unsettled.mjs': `function launchedFirst() { return new Promise(() => {}); }\nconsole.log('before');\nawait launchedFirst();\n`,
  'unsettled-arrow.mjs': `const launchedFirst = (a) => { return new Promise(() => { a; }); }; await launchedFirst(1);\n`,
  'unsettled-callback.mjs': `function launchedFirst(work) { return new Promise(() => setTimeout(work, 1)); }\nawait launchedFirst(() => {\n  console.log('works');\n  return 1;\n});\n`,
  'exit.cjs': `function launchedExit() { process.exit(7); }\nprocess.on('exit', (code) => console.log('exit', code));\nlaunchedExit();\n`,
  'exit-code.mjs': `function launchedExit() { process.exitCode = 3; }\nlaunchedExit();\n`,
  'kill.cjs': `function launchedKill() { process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 1000); }\nlaunchedKill();\n`,
  'abort.cjs': `function launchedAbort() { return 1; }\nlaunchedAbort();\nsetImmediate(() => process.abort());\n`,
  'typed.ts': `interface Named { name: string }\nfunction launchedTypes(one: Named): string {\n  return one.name;\n}\nconsole.log(launchedTypes({ name: 'typed' }));\n`,
  'typed.mts': `interface Named { name: string }\nexport function launchedTypes(one: Named): string {\n  return one.name;\n}\nconsole.log(launchedTypes({ name: 'typed module' }));\n`,
  'typed.cts': `interface Named { name: string }\nfunction launchedTypes(one: Named): string {\n  return one.name;\n}\nconsole.log(launchedTypes({ name: 'typed common' }));\n`,
  'imports.ts': `import { basename } from 'node:path';\nimport { launchedPart } from './part';\nenum Kind { One = 1 }\nfunction launchedTypes(kind: Kind): string {\n  return basename('/a/b') + kind + launchedPart();\n}\nconsole.log(launchedTypes(Kind.One));\n`,
  'enum.cts': `enum Kind { One = 1 }\nfunction launchedTypes(kind: Kind): string {\n  return 'kind ' + kind;\n}\nconsole.log(launchedTypes(Kind.One));\n`,
  'enum.mts': `enum Kind { One = 1 }\nexport function launchedTypes(kind: Kind): string {\n  return 'kind ' + kind;\n}\nconsole.log(launchedTypes(Kind.One));\n`,
  'part.ts': `export function launchedPart(): string { return 'part'; }\n`,
  'throws.ts': `interface Named {\n  name: string;\n}\n\nfunction launchedTypes(one: Named): string {\n  if (one.name === 'a') return 'a';\n  throw new Error('typed: ' + one.name);\n}\nlaunchedTypes({ name: 'a' });\nlaunchedTypes({ name: 'b' });\n`,
  'tsconfig.json': `{ "compilerOptions": { "module": "commonjs", "target": "es2022", "strict": true, "esModuleInterop": true, "skipLibCheck": true, "types": [] } }`,
  'ts-esm/package.json': '{ "type": "module" }',
  'ts-esm/tsconfig.json': `{ "compilerOptions": { "module": "nodenext", "moduleResolution": "nodenext", "target": "es2022", "strict": true, "skipLibCheck": true, "types": [] } }`,
  'ts-esm/app.ts': `import { launchedPart } from './part.js';\nfunction launchedTypes(word: string): string {\n  return word + launchedPart();\n}\nconsole.log(launchedTypes('typed '));\nexport {};\n`,
  'ts-esm/unsettled.ts': `interface Named {\n  name: string;\n}\nfunction launchedTypes(one: Named): string {\n  return one.name;\n}\nconsole.log([1, 2].map((n) => launchedTypes({ name: String(n) })));\nawait new Promise(() => setTimeout(() => launchedTypes({ name: 'a' }), 1));\nexport {};\n`,
  'ts-esm/part.ts': `export function launchedPart(): string { return 'part'; }\n`,
  'ambiguous.js': `import { basename } from 'node:path';\nfunction launchedAmbiguous() { return basename('/x/y'); }\nconsole.log(launchedAmbiguous());\n`,
  'dependency.mjs': `export function launchedDependency() { return 'dependency'; }\n`,
  'common.cjs': `exports.launchedCommonPart = function launchedCommonPart() { return 'common part'; };\n`,
  'requires-esm.cjs': `const { launchedDependency } = require('./dependency.mjs');\nfunction launchedMain() { return launchedDependency(); }\nconsole.log(launchedMain());\n`,
  'requires-esm-within.cjs': `function launchedMain() { return 1; }\nfunction launchedRequire() { launchedMain(); return require('./dependency.mjs'); }\nlaunchedRequire();\n`,
  'imports-cjs.mjs': `import { launchedCommonPart } from './common.cjs';\nfunction launchedMain() { return launchedCommonPart(); }\nconsole.log(launchedMain());\n`,
  'imports-json.mjs': `import data from './data.json' with { type: 'json' };\nfunction launchedMain() { return data.a; }\nconsole.log(launchedMain());\n`,
  'dynamic.cjs': `async function launchedMain() { const { launchedDependency } = await import('./dependency.mjs'); return launchedDependency(); }\nlaunchedMain().then((word) => console.log(word));\n`,
  'await.mjs': `import { setTimeout as sleep } from 'node:timers/promises';\nasync function launchedMain() { await sleep(1); return 'awaited'; }\nconsole.log(await launchedMain());\n`,
  'argv.cjs': `function launchedWords() { return process.argv.slice(2).join(' '); }\nconsole.log(launchedWords());\n`,
  'env.cjs': `function launchedEnv() { return process.env.WORD; }\nconsole.log(launchedEnv());\n`,
  'env-file': 'WORD=of-a-file\n',
  'options-file': 'WORD=of-a-file\nNODE_OPTIONS="--no-warnings"\n',
  'title.cjs': `function launchedTitle() { return process.title; }\nconsole.log(launchedTitle());\n`,
  'lib.js': `exports.twice = function launchedTwice(a) { return 2 * a; };\n`,
  'warns.cjs': `function launchedWarn() { process.emitWarning('careful', 'DeprecationWarning', 'DEP0'); new Buffer(1); }\nlaunchedWarn();\n`,
  'main.ts': `import { launchedPart } from './part.ts';\nfunction launchedTypes(word: string): string {\n  return word + launchedPart();\n}\nconsole.log(launchedTypes('main '));\n`,
};

/** Preloads, loaders and hooks: small doubles of what tools do. */
const HOOKS = {
  'pre.cjs': `function launchedPreload() { globalThis.preloaded = (globalThis.preloaded ?? 0) + 1; }\nlaunchedPreload();\n`,
  'pre.mjs': `function launchedPreload() { globalThis.preloaded = (globalThis.preloaded ?? 0) + 1; }\nlaunchedPreload();\n`,
  'pre2.mjs': `import { existsSync } from 'node:fs';\nfunction launchedPreload() { globalThis.preloaded = (globalThis.preloaded ?? 0) + 1; }\nif (existsSync('app.cjs')) launchedPreload();\n`,
  'preloaded.cjs': `function launchedAfter() { return globalThis.preloaded; }\nconsole.log('preloaded', launchedAfter());\n`,
  'preloaded.mjs': `function launchedAfter() { return globalThis.preloaded; }\nconsole.log('preloaded', launchedAfter());\n`,
  'node_modules/preloader/package.json': '{ "name": "preloader", "main": "index.js" }',
  'node_modules/preloader/index.js': `globalThis.preloaded = 'by a package';\n`,
  'node_modules/conditional/package.json':
    '{ "name": "conditional", "exports": { ".": { "dev": "./dev.js", "import": "./import.mjs", "default": "./default.js" } } }',
  'node_modules/conditional/dev.js': `module.exports = function launchedDev() { return 'dev'; };\n`,
  'node_modules/conditional/default.js': `module.exports = function launchedDefault() { return 'default'; };\n`,
  'node_modules/conditional/import.mjs': `export default function launchedImport() { return 'import'; }\n`,
  'conditional.cjs': `function launchedMain() { return require('conditional')(); }\nconsole.log(launchedMain());\n`,
  'conditional.mjs': `import one from 'conditional';\nfunction launchedMain() { return one(); }\nconsole.log(launchedMain());\n`,
  // The shape of import-in-the-middle, ts-node and the like: asynchronous hooks that pass on, and make text of their own.
  'hooks.mjs': `export async function initialize(data) { data?.port?.postMessage('initialized'); }
export async function resolve(specifier, context, next) {
  if (specifier === 'virtual:words') return { url: 'virtual:words', shortCircuit: true };
  return next(specifier, context);
}
export async function load(url, context, next) {
  if (url === 'virtual:words') return { format: 'module', source: 'export const words = "virtual";', shortCircuit: true };
  const result = await next(url, context);
  if (url.includes('dependency') && result.source) return { ...result, source: String(result.source).replace("'dependency'", "'changed dependency'") };
  return result;
}
`,
  'plain-hooks.mjs': `export const resolve = (specifier, context, next) => next(specifier, context);\nexport const load = (url, context, next) => next(url, context);\n`,
  'register.mjs': `import { register } from 'node:module';\nregister('./hooks.mjs', import.meta.url);\n`,
  'register.cjs': `const { register } = require('node:module');\nconst { pathToFileURL } = require('node:url');\nregister('./hooks.mjs', pathToFileURL(__filename));\n`,
  'uses-hooks.mjs': `import { words } from 'virtual:words';\nimport { launchedDependency } from './dependency.mjs';\nimport { launchedCommonPart } from './common.cjs';\nfunction launchedMain() { return [words, launchedDependency(), launchedCommonPart()].join(', '); }\nconsole.log(launchedMain());\n`,
  'uses-loader.cjs': `async function launchedMain() {\n  const { words } = await import('virtual:words');\n  const { launchedDependency } = await import('./dependency.mjs');\n  return words + launchedDependency();\n}\nlaunchedMain().then((text) => console.log(text));\n`,
  'registers.mjs': `import { register } from 'node:module';\nfunction launchedRegister() { register('./hooks.mjs', import.meta.url); }\nlaunchedRegister();\nawait import('./uses-hooks.mjs');\n`,
  'registers.cjs': `const { register } = require('node:module');\nconst { pathToFileURL } = require('node:url');\nfunction launchedRegister() { register('./hooks.mjs', pathToFileURL(__filename)); }\nlaunchedRegister();\nimport('./uses-hooks.mjs').then(() => require('./common.cjs').launchedCommonPart());\n`,
  'registers-twice.mjs': `import { register } from 'node:module';\nfunction launchedRegister(name) { register(name, import.meta.url); }\nlaunchedRegister('./hooks.mjs');\nlaunchedRegister('./plain-hooks.mjs');\nawait import('./uses-hooks.mjs');\n`,
  'registers-port.mjs': `import { register } from 'node:module';
import { MessageChannel } from 'node:worker_threads';
function launchedRegister() {
  const { port1, port2 } = new MessageChannel();
  port1.once('message', (word) => { console.log(word); port1.close(); });
  register('./hooks.mjs', { parentURL: import.meta.url, data: { port: port2 }, transferList: [port2] });
}
launchedRegister();
await import('./uses-hooks.mjs');
`,
  'registers-data.mjs': `import { register } from 'node:module';\nfunction launchedRegister() { register('data:text/javascript,export const load = (url, context, next) => next(url, context);'); }\nlaunchedRegister();\nconst { launchedDependency } = await import('./dependency.mjs');\nconsole.log(launchedDependency());\n`,
  'registers-late.cjs': `const module_ = require('node:module');\nfunction launchedRegister() { module_['regis' + 'ter']('./hooks.mjs', require('node:url').pathToFileURL(__filename)); }\nsetTimeout(() => { launchedRegister(); import('./uses-hooks.mjs'); }, 10);\n`,
  'register-hooks.mjs': `import * as module from 'node:module';
function launchedRegister() {
  module.registerHooks?.({
    resolve: (specifier, context, next) => (specifier === 'virtual:words' ? { url: 'virtual:words', shortCircuit: true } : next(specifier, context)),
    load: (url, context, next) => url === 'virtual:words' ? { format: 'module', source: 'export const words = "virtual";', shortCircuit: true } : next(url, context),
  });
}
launchedRegister();
const { words } = await import('virtual:words').catch(() => ({}));
const { launchedDependency } = await import('./dependency.mjs');
console.log(words, launchedDependency());
`,
  'register-both.mjs': `import * as module from 'node:module';
function launchedRegister() {
  module.register('./hooks.mjs', import.meta.url);
  module.registerHooks?.({ load: (url, context, next) => next(url, context) });
}
launchedRegister();
const { launchedDependency } = await import('./dependency.mjs').catch((error) => ({ launchedDependency: () => error.message }));
console.log(launchedDependency());
`,
  'register-both-other.mjs': `import * as module from 'node:module';
function launchedRegister() {
  module.registerHooks?.({ load: (url, context, next) => next(url, context) });
  module.register('./hooks.mjs', import.meta.url);
}
launchedRegister();
const { launchedDependency } = await import('./dependency.mjs').catch((error) => ({ launchedDependency: () => error.message }));
console.log(launchedDependency());
`,
  'register-fails.mjs': `import { register } from 'node:module';\nfunction launchedRegister() { register('./no-such-hooks.mjs', import.meta.url); }\ntry { launchedRegister(); } catch (error) { console.log(error.code); }\nconst { launchedDependency } = await import('./dependency.mjs');\nconsole.log(launchedDependency());\n`,
  'register-worker.mjs': `import { register } from 'node:module';
import { isMainThread, Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
function launchedRegister() { register('./hooks.mjs', import.meta.url); }
if (isMainThread) {
  console.log('main');
  new Worker(fileURLToPath(import.meta.url)).on('exit', (code) => console.log('exit', code));
} else {
  launchedRegister();
  await import('./uses-hooks.mjs');
}
`,
  'hooked-worker.mjs': `import { register } from 'node:module';
import { Worker } from 'node:worker_threads';
function launchedRegister() { register('./hooks.mjs', import.meta.url); }
launchedRegister();
new Worker(new URL('./uses-hooks.mjs', import.meta.url)).on('exit', (code) => console.log('exit', code));
`,
  // Two hooks of _compile, one on the other, as APM agents and transpilers have them, and of the extensions.
  'stacked.cjs': `const Module = require('node:module');
for (let i = 0; i < 3; i++) {
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, filename, ...rest) {
    return compile.call(this, content, filename, ...rest);
  };
}
const js = Module._extensions['.js'];
Module._extensions['.js'] = function (module, filename) {
  const compile = module._compile;
  module._compile = function (code, name, ...rest) {
    module._compile = compile;
    return module._compile(code.replace('__ONE__', '1'), name, ...rest);
  };
  return js(module, filename);
};
`,
  'stacked-app.js': `function launchedUsed(a) {\n  if (a) return __ONE__;\n  return 2;\n}\nfunction launchedUnused() {\n  return 3;\n}\nclass LaunchedOne { launchedMethod() { return launchedUsed(1); } }\nconsole.log(new LaunchedOne().launchedMethod());\n`,
  // Another text of the same name, as mocks and rewriters have it.
  'twice.cjs': `const Module = require('node:module');
const compile = Module.prototype._compile;
Module.prototype._compile = function (content, filename, ...rest) {
  if (filename.endsWith('covered.js')) compile.call(new Module(filename), 'exports.one = function () { return 1; }; exports.one();', filename);
  return compile.call(this, content, filename, ...rest);
};
`,
  'extension.cjs': `require.extensions['.words'] = (module, filename) => module._compile(require('node:fs').readFileSync(filename, 'utf8').replace('WORD', JSON.stringify('words')), filename);\n`,
  'app.words': `function launchedWords() { return WORD; }\nconsole.log(launchedWords());\n`,
  'load-hook.cjs': `const Module = require('node:module');\nconst load = Module._load;\nModule._load = function (request, ...rest) { const exports = load.call(this, request, ...rest); return request === './lib.js' ? { twice: (a) => exports.twice(a) + 1 } : exports; };\nconst resolve = Module._resolveFilename;\nModule._resolveFilename = function (request, ...rest) { return resolve.call(this, request === 'alias' ? './lib.js' : request, ...rest); };\n`,
  'uses-lib.cjs': `const { twice } = require('./lib.js');\nfunction launchedMain() { return twice(2); }\nconsole.log(launchedMain());\n`,
  'wrapper.cjs': `const Module = require('node:module');\nModule.wrapper[0] += 'globalThis.wrapped = true;';\n`,
  'uses-wrapper.cjs': `require('./wrapper.cjs');\nrequire('./lib.js');\nfunction launchedMain() { return globalThis.wrapped; }\nconsole.log(launchedMain());\n`,
  'policy.json': `{ "resources": { "./app.cjs": { "integrity": true }, "./lib.js": { "integrity": true } }, "dependencies": true, "scopes": { "file:": { "integrity": true, "dependencies": true } } }`,
  'babel.cjs': `require('@babel/register')({ presets: [['@babel/preset-typescript']], plugins: [], extensions: ['.ts', '.js'], cache: false, babelrc: false, configFile: false, ignore: [/node_modules/] });\n`,
  'babel-esm.cjs': `require('@babel/register')({ presets: [['@babel/preset-env', { targets: { node: 'current' }, modules: 'commonjs' }], '@babel/preset-typescript'], extensions: ['.ts', '.js'], cache: false, babelrc: false, configFile: false, ignore: [/node_modules/] });\n`,
  'pirates.cjs': `require('pirates').addHook((code) => code.replace('__ONE__', '1'), { exts: ['.js'] });\n`,
  'ritm.cjs': `const { Hook } = require('require-in-the-middle');\nnew Hook(['express', 'node:path', 'path'], (exports, name) => { console.log('hooked', name); return exports; });\n`,
  'uses-path.cjs': `const { basename } = require('path');\nfunction launchedMain() { return basename('/a/b'); }\nconsole.log(launchedMain());\n`,
  'iitm.mjs': `import { register } from 'node:module';\nregister('import-in-the-middle/hook.mjs', import.meta.url);\nconst { Hook } = await import('import-in-the-middle');\nnew Hook((exported, name) => { if (name.endsWith('dependency.mjs')) { const { launchedDependency } = exported; exported.launchedDependency = () => 'intercepted ' + launchedDependency(); } });\n`,
  'uses-dependency.mjs': `import { launchedDependency } from './dependency.mjs';\nimport { basename } from 'node:path';\nfunction launchedMain() { return basename(launchedDependency()); }\nconsole.log(launchedMain());\n`,
  'ts-node-esm.mjs': `import { register } from 'node:module';\nregister('ts-node/esm', import.meta.url);\n`,
  'otel.mjs': `import { register } from 'node:module';
import { NodeSDK } from '@opentelemetry/sdk-node';
register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
const sdk = new NodeSDK({ instrumentations: [] });
sdk.start();
`,
  'otel.cjs': `const { NodeSDK } = require('@opentelemetry/sdk-node');\nnew NodeSDK({ instrumentations: [] }).start();\n`,
  'express.mjs': `import express from 'express';\nimport { createServer } from 'node:http';\nfunction launchedHandle(_request, response) { response.end('served'); }\nconst app = express();\napp.get('/', launchedHandle);\nconst server = createServer(app).listen(0, '127.0.0.1', async () => {\n  const answer = await fetch('http://127.0.0.1:' + server.address().port);\n  console.log(await answer.text());\n  server.close();\n  server.closeAllConnections();\n});\n`,
  'express.cjs': `const express = require('express');\nconst { createServer } = require('node:http');\nfunction launchedHandle(_request, response) { response.end('served'); }\nconst app = express();\napp.get('/', launchedHandle);\nconst server = createServer(app).listen(0, '127.0.0.1', async () => {\n  const answer = await fetch('http://127.0.0.1:' + server.address().port);\n  console.log(await answer.text());\n  server.close();\n  server.closeAllConnections();\n});\n`,
  'newrelic.cjs': `'use strict';\nexports.config = { app_name: ['launch'], license_key: '0'.repeat(40), agent_enabled: false, logging: { enabled: false } };\n`,
  'esm-syntax.js': `import { basename } from 'path';\nfunction launchedMain() { return basename('/a/b'); }\nconsole.log(launchedMain());\n`,
  'esm-fails.js': `import { basename } from 'path';\nfunction launchedFail(value) {\n  if (value) return basename(value);\n  throw new Error('failed');\n}\nlaunchedFail('/a');\nlaunchedFail();\n`,
};

/** Programs that start threads and processes. */
const PROCESSES = {
  'part.cjs': `function launchedPart() { return 'part ' + process.argv.slice(2).join(' '); }\nconsole.log(launchedPart());\n`,
  'part.mjs': `function launchedPart() { return 'module part'; }\nconsole.log(launchedPart());\n`,
  ...Object.fromEntries(
    Object.entries({
      plain: `new Worker(join(__dirname, 'part.cjs'), { argv: ['a'] })`,
      esm: `new Worker(join(__dirname, 'part.mjs'))`,
      'exec-argv': `new Worker(join(__dirname, 'part.cjs'), { execArgv: [] })`,
      'exec-argv-import': `new Worker(join(__dirname, 'preloaded.cjs'), { execArgv: ['--import', join(__dirname, 'pre.mjs')] })`,
      'exec-argv-require': `new Worker(join(__dirname, 'preloaded.cjs'), { execArgv: ['--require', join(__dirname, 'pre.cjs')] })`,
      'exec-argv-warnings': `new Worker(join(__dirname, 'part.cjs'), { execArgv: ['--no-warnings'] })`,
      env: `new Worker(join(__dirname, 'part.cjs'), { env: {} })`,
      'env-exec-argv': `new Worker(join(__dirname, 'part.cjs'), { env: {}, execArgv: [] })`,
      'share-env': `new Worker(join(__dirname, 'part.cjs'), { env: require('node:worker_threads').SHARE_ENV })`,
      eval: `new Worker("const { launchedCommonPart } = require('./common.cjs'); console.log(launchedCommonPart())", { eval: true })`,
      'data-url': `new Worker(new URL('data:text/javascript,function launchedData() { return 1 } console.log("data", launchedData())'))`,
      nested: `new Worker(join(__dirname, 'worker-plain.cjs'))`,
      limits: `new Worker(join(__dirname, 'part.cjs'), { resourceLimits: { maxOldGenerationSizeMb: 32 } })`,
      streams: `new Worker(join(__dirname, 'part.cjs'), { stdin: true, stdout: true }).once('exit', () => {})`,
      'bad-preload': `new Worker(join(__dirname, 'part.cjs'), { execArgv: ['--require', './no-such-file.cjs'] }).once('error', (error) => console.log(error.code))`,
      throws: `new Worker(join(__dirname, 'throws.cjs')).once('error', (error) => console.log(error.message))`,
      loader: `new Worker(join(__dirname, 'uses-loader.cjs'), { execArgv: ['--loader', join(__dirname, 'hooks.mjs')] })`,
    }).map(([name, made]) => [
      `worker-${name}.cjs`,
      `const { join } = require('node:path');\nconst { Worker } = require('node:worker_threads');\nfunction launchedStart() { return ${made}; }\nlaunchedStart().on('exit', (code) => console.log('exit', code));\n`,
    ]),
  ),
  'worker.mjs': `import { Worker } from 'node:worker_threads';\nfunction launchedStart() { return new Worker(new URL('./part.mjs', import.meta.url)); }\nlaunchedStart().on('exit', (code) => console.log('exit', code));\n`,
  'worker-url.cjs': `const { pathToFileURL } = require('node:url');\nconst { Worker } = require('node:worker_threads');\nfunction launchedStart() { return new Worker(pathToFileURL(__dirname + '/part.mjs')); }\nlaunchedStart().on('exit', (code) => console.log('exit', code));\n`,
  'worker-many.cjs': `const { Worker } = require('node:worker_threads');\nlet ended = 0;\nfunction launchedStart() { return new Worker(__dirname + '/lib.js'); }\nfor (let i = 0; i < 8; i++) launchedStart().on('exit', () => { if (++ended === 8) console.log('ended'); });\n`,
  'terminates.cjs': `const { Worker } = require('node:worker_threads');\nfunction launchedStart() { return new Worker('setInterval(() => {}, 10)', { eval: true }); }\nconst one = launchedStart();\none.on('online', () => one.terminate().then((code) => console.log('terminated', code)));\n`,
  'cluster.cjs': `const cluster = require('node:cluster');\nfunction launchedCluster() { return cluster.isPrimary; }\nif (launchedCluster()) { cluster.fork().on('exit', (code) => console.log('worker', code)); } else { console.log('in the worker'); process.exit(4); }\n`,
  'cluster.mjs': `import cluster from 'node:cluster';\nfunction launchedCluster() { return cluster.isPrimary; }\nif (launchedCluster()) { cluster.fork().on('exit', (code) => console.log('worker', code)); } else { console.log('in the worker'); process.exit(4); }\n`,
  ...Object.fromEntries(
    Object.entries({
      fork: `fork(join(__dirname, 'part.cjs'), ['a'])`,
      'fork-esm': `fork(join(__dirname, 'part.mjs'))`,
      'fork-exec-argv': `fork(join(__dirname, 'part.cjs'), ['b'], { execArgv: ['--no-warnings'] })`,
      'fork-env': `fork(join(__dirname, 'part.cjs'), ['c'], { env: {} })`,
      'fork-ipc': `fork(join(__dirname, 'talks.cjs')).on('message', (message) => console.log('got', message))`,
      spawn: `spawn(process.execPath, [join(__dirname, 'part.cjs'), 'd'], { stdio: 'inherit' })`,
      'spawn-env': `spawn(process.execPath, [join(__dirname, 'part.cjs'), 'e'], { stdio: 'inherit', env: { PATH: process.env.PATH } })`,
      'spawn-options': `spawn(process.execPath, [join(__dirname, 'part.cjs'), 'f'], { stdio: 'inherit', env: { ...process.env, NODE_OPTIONS: '--no-warnings' } })`,
      'spawn-import': `spawn(process.execPath, ['--import', join(__dirname, 'pre.mjs'), join(__dirname, 'preloaded.mjs')], { stdio: 'inherit' })`,
      'spawn-detached': `spawn(process.execPath, [join(__dirname, 'part.cjs'), 'g'], { stdio: 'inherit', detached: true })`,
      shell: `spawn('node part.cjs h; exit 5', { stdio: 'inherit', shell: true })`,
      exec: `exec('node part.cjs i', (error, stdout) => console.log(error, stdout))`,
      shebang: `spawn(join(__dirname, 'script'), ['j'], { stdio: 'inherit' })`,
      exit: `spawn(process.execPath, [join(__dirname, 'exit.cjs')], { stdio: 'inherit' })`,
    }).map(([name, made]) => [
      `child-${name}.cjs`,
      `const { exec, fork, spawn } = require('node:child_process');\nconst { join } = require('node:path');\nfunction launchedStart() { return ${made}; }\nlaunchedStart().on('exit', (code, signal) => console.log('exit', code, signal));\n`,
    ]),
  ),
  'talks.cjs': `function launchedTalk() { process.send('talked'); }\nlaunchedTalk();\n`,
  script: { text: `#!/usr/bin/env node\n${program('launchedScript', 'script')}`, mode: 0o755 },
  'child-sync.cjs': `const { execFileSync, execSync, spawnSync } = require('node:child_process');\nfunction launchedSync() {\n  console.log(String(execFileSync(process.execPath, ['part.cjs', '1'])));\n  console.log(String(execSync('node part.cjs 2')));\n  console.log(spawnSync('node', ['-p', '3']).status);\n}\nlaunchedSync();\n`,
};

/** Suites, snapshots, applications of one file, and what else has files of its own. */
const OTHERS = {
  'sum.test.js': `const assert = require('node:assert');\nconst { test } = require('node:test');\nconst { twice } = require('./lib.js');\nfunction launchedTest() { assert.equal(twice(2), 4); }\ntest('twice', launchedTest);\n`,
  'sum.test.mjs': `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport lib from './lib.js';\nfunction launchedTest() { assert.equal(lib.twice(2), 4); }\ntest('twice', launchedTest);\n`,
  'fails.test.js': `const assert = require('node:assert');\nconst { test } = require('node:test');\nfunction launchedTest() { assert.equal(1, 2); }\ntest('fails', launchedTest);\n`,
  'covered.js': `function launchedUsed(a) {\n  if (a > 1) {\n    return 'large';\n  }\n  return a ? 'small' : 'none';\n}\nfunction launchedUnused() {\n  return 3;\n}\nmodule.exports = { launchedUsed, launchedUnused };\n`,
  'covered.mjs': `export function launchedUsed(a) {\n  if (a > 1) {\n    return 'large';\n  }\n  return a ? 'small' : 'none';\n}\nexport function launchedUnused() {\n  return 3;\n}\n`,
  'covered.test.js': `const assert = require('node:assert');\nconst { test } = require('node:test');\nconst { launchedUsed } = require('./covered.js');\ntest('used', function launchedTest() { assert.equal(launchedUsed(2), 'large'); });\n`,
  'covered.test.mjs': `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { launchedUsed } from './covered.mjs';\ntest('used', function launchedTest() { assert.equal(launchedUsed(2), 'large'); });\n`,
  'covering.ts': `export interface Sized { size: number }\nexport function launchedUsed(one: Sized): string {\n  if (one.size > 1) {\n    return 'large';\n  }\n  return one.size ? 'small' : 'none';\n}\nexport function launchedUnused(): number {\n  return 3;\n}\n`,
  'covers.ts': `import { launchedUsed } from './covering';\nconsole.log(launchedUsed({ size: 2 }));\n`,
  'mocha.cjs': `const { launchedUsed } = require('./covered.js');\ndescribe('covered', () => { it('works', function launchedTest() { if (launchedUsed(2) !== 'large') throw new Error(); }); });\n`,
  'covers.cjs': `const { launchedUsed } = require('./covered.js');\nconsole.log(launchedUsed(1));\n`,
  'covers.mjs': `import { launchedUsed } from './covered.mjs';\nconsole.log(launchedUsed(1));\n`,
  'package.json': `{ "private": true, "name": "launch", "scripts": { "start": "node app.cjs", "say": "node argv.cjs" } }`,
  'snapshot.cjs': `const { addDeserializeCallback, setDeserializeMainFunction } = require('node:v8').startupSnapshot;\nfunction launchedSnapshot() { return 'of a snapshot'; }\naddDeserializeCallback(() => {});\nsetDeserializeMainFunction(() => { console.log(launchedSnapshot()); });\n`,
  'snapshot-global.cjs': `globalThis.launchedGlobal = function launchedGlobal() { return 'global'; };\n`,
  'uses-global.cjs': `function launchedMain() { return globalThis.launchedGlobal(); }\nconsole.log(launchedMain());\n`,
  'sea.json': `{ "main": "sea.cjs", "output": "sea.blob", "disableExperimentalSEAWarning": true }`,
  'sea-build.json': `{ "main": "sea.cjs", "output": "sea", "disableExperimentalSEAWarning": true }`,
  'sea.cjs': `const { createRequire } = require('node:module');\nfunction launchedSea() { return 'single'; }\nconsole.log(launchedSea());\ncreateRequire(process.cwd() + '/')('./app.cjs');\n`,
  'compile-cache.cjs': `function launchedCache() { return require('node:module').enableCompileCache?.('cache'); }\nlaunchedCache();\nrequire('./lib.js');\nconsole.log('cached');\n`,
  'vm-modules.cjs': `const vm = require('node:vm');\nasync function launchedVm() {\n  const one = new vm.SourceTextModule('export const a = 1');\n  await one.link(() => {});\n  await one.evaluate();\n  return one.namespace.a;\n}\nlaunchedVm().then((a) => console.log(a));\n`,
  'deep.cjs': `function launchedDeep(n) { return n === 0 ? 0 : 1 + launchedDeep(n - 1); }\nconsole.log(launchedDeep(500));\n`,
  'inspector.cjs': `const { url } = require('node:inspector');\nfunction launchedUrl() { return typeof url(); }\nconsole.log(launchedUrl());\n`,
  'gc.cjs': `function launchedGc() { return typeof globalThis.gc; }\nconsole.log(launchedGc());\n`,
  'storage.cjs': `const { AsyncLocalStorage } = require('node:async_hooks');\nconst storage = new AsyncLocalStorage();\nasync function launchedStore() { await 1; return storage.getStore(); }\nstorage.run('kept', launchedStore).then((word) => console.log(word));\n`,
  'sqlite.cjs': `function launchedSql() { return new (require('node:sqlite').DatabaseSync)(':memory:').prepare('select 1 as a').get().a; }\nconsole.log(launchedSql());\n`,
  'fetches.cjs': `function launchedFetch() { return typeof fetch; }\nconsole.log(launchedFetch());\n`,
  'node.config.json': `{ "nodeOptions": { "import": ["./pre.mjs"] } }`,
  'watch.sh': `node --watch app.cjs > watched.txt 2> watched.err & pid=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.3; grep -q Completed watched.txt watched.err && break; done
kill $pid; wait $pid; grep -h hello watched.txt; grep -v '^(node\\|^(Use' watched.err
`,
};

const MAPPED_SOURCE = `interface Named {
  name: string;
}
interface Other extends Named {
  other: number;
}

function launchedMapped(one: Other): string {
  if (one.other > 0) return one.name;
  throw new Error('mapped: ' + one.name);
}
launchedMapped({ name: 'a', other: 1 });
launchedMapped({ name: 'b', other: 0 });
`;

const compiled = (module, file) => {
  const { outputText, sourceMapText } = typescript.transpileModule(MAPPED_SOURCE, {
    fileName: 'original.ts',
    compilerOptions: { module, target: typescript.ScriptTarget.ES2022, sourceMap: true },
  });
  const map = { ...JSON.parse(sourceMapText), sources: ['original.ts'] };
  return {
    [`mapped/${file}`]: outputText.replace(/sourceMappingURL=.*/, `sourceMappingURL=${file}.map`),
    [`mapped/${file}.map`]: JSON.stringify(map),
  };
};

/** One line of several lines of the source: the map tells them apart by columns. */
const minified = (format) =>
  transformSync(MAPPED_SOURCE, { loader: 'ts', format, minify: true, sourcemap: 'inline', sourcefile: 'original.ts' }).code;

/** Compiled TypeScript, whose lines are not those of the source. */
const MAPPED = {
  'mapped/original.ts': MAPPED_SOURCE,
  ...compiled(typescript.ModuleKind.CommonJS, 'mapped.js'),
  ...compiled(typescript.ModuleKind.ESNext, 'mapped.mjs'),
  'mapped/minified.js': minified(undefined),
  'mapped/minified.mjs': minified('esm'),
};

/** A text, a link, or a text with the mode of its file. */
export const FILES = { ...ENTRIES, ...HOOKS, ...PROCESSES, ...OTHERS, ...MAPPED };
