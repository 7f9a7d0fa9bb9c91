// The packages that forms use, from the npm registry.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = [
  'typescript@5',
  ...['tsx', 'ts-node', '@swc-node/register', '@swc/core', '@babel/core', '@babel/register', '@babel/preset-env'],
  ...['@babel/preset-typescript', 'esbuild', 'esbuild-register', 'sucrase', 'jiti', 'pirates', 'esm', 'module-alias'],
  ...['source-map-support', 'import-in-the-middle', 'require-in-the-middle', '@opentelemetry/sdk-node'],
  ...['@opentelemetry/instrumentation', '@opentelemetry/auto-instrumentations-node', 'dd-trace', 'newrelic', 'express'],
  ...['c8', 'nyc', 'mocha', 'postject', '@yarnpkg/cli-dist'],
];

/** The node_modules of these packages, installed once. */
export function installedPackages(root) {
  const folder = join(root, '.cache/launch-packages');
  const modules = join(folder, 'node_modules');
  if (existsSync(modules)) return modules;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
  execFileSync('npm', ['install', ...options, ...NAMES], { cwd: folder, stdio: 'inherit' });
  return modules;
}
