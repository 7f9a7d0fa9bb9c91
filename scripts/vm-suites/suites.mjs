// The suites that scripts/vm-suites.mjs runs: packages whose tarballs hold their tests, too. What a repository has besides (its
// configuration, helpers of its tests) is written here; a test that needs more of it is left out.

const BABEL = ['@babel/core@7', '@babel/preset-env@7'];
const PRESET_ENV = `['@babel/preset-env', { targets: { node: 'current' } }]`;

export const SUITES = [
  {
    name: 'css-what',
    package: 'css-what@8.0.0',
    language: 'TypeScript',
    runner: 'vitest',
    how: 'Vitest 3, Vite 6, forks',
    packages: ['vitest@3', '@vitest/coverage-istanbul@3', 'vite@6'],
    files: { 'vitest.config.mjs': `export default { test: { include: ['src/**/*.spec.ts'] } };\n` },
  },
  {
    name: 'css-what-contexts',
    package: 'css-what@8.0.0',
    language: 'TypeScript',
    runner: 'vitest',
    how: 'Vitest 4, Vite 8, vmThreads',
    packages: ['vitest@4', '@vitest/coverage-istanbul@4', 'vite@8'],
    files: { 'vitest.config.mjs': `export default { test: { include: ['src/**/*.spec.ts'], pool: 'vmThreads' } };\n` },
  },
  {
    name: 'zod',
    package: 'zod@4.6.7',
    language: 'TypeScript',
    runner: 'vitest',
    how: 'Vitest 4, Vite 7, forks',
    packages: ['vitest@4', '@vitest/coverage-istanbul@4', 'vite@7', '@seriousme/openapi-schema-validator@2'],
    files: {
      'vitest.config.mjs': `export default {
  resolve: {
    conditions: ['@zod/source'],
    alias: [{ find: /^zod(?=\\/|$)/, replacement: new URL('./src', import.meta.url).pathname }],
  },
  test: { include: ['src/v3/**/*.test.ts'], exclude: ['src/v3/tests/language-server.test.ts'] },
};
`,
    },
  },
  {
    name: 'msw',
    package: 'msw@2.15.0',
    language: 'TypeScript',
    runner: 'vitest',
    how: 'Vitest 4, Vite 8, threads',
    packages: ['vitest@4', '@vitest/coverage-istanbul@4', 'vite@8', 'jsdom@25'],
    files: {
      'vitest.config.mjs': `export default {
  resolve: { alias: [{ find: /^#core(?=\\/|$)/, replacement: new URL('./src/core', import.meta.url).pathname }] },
  test: {
    globals: true,
    include: ['src/**/*.test.ts'],
    exclude: ['src/core/ws.test.ts', 'src/core/ws/WebSocketClientManager.test.ts', 'src/core/experimental/frames/websocket-frame.test.ts'],
    pool: 'threads',
    environmentOptions: { jsdom: { url: 'http://localhost/' } },
  },
};
`,
    },
  },
  {
    name: 'query-core',
    package: '@tanstack/query-core@4.44.0',
    language: 'TypeScript',
    runner: 'jest',
    how: 'Jest 29, jsdom',
    packages: [
      ...BABEL,
      '@babel/preset-typescript@7',
      '@babel/preset-react@7',
      'jest@29',
      'jest-environment-jsdom@29',
      'react@18',
      'react-dom@18',
      '@testing-library/react@13',
      '@testing-library/jest-dom@5',
    ],
    files: {
      'babel.config.cjs': `module.exports = { presets: [${PRESET_ENV}, '@babel/preset-typescript', '@babel/preset-react'] };\n`,
      'jest.config.cjs': `module.exports = {
  testEnvironment: 'jsdom',
  testMatch: ['<rootDir>/src/**/*.test.tsx'],
  moduleNameMapper: { '^@tanstack/query-core$': '<rootDir>/src/index.ts' },
  setupFilesAfterEnv: ['<rootDir>/jest.setup.js'],
  clearMocks: true,
};
`,
      'jest.setup.js': `import '@testing-library/jest-dom';
import { notifyManager } from '@tanstack/query-core';
import { act } from '@testing-library/react';

notifyManager.setNotifyFunction((notify) => act(notify));
`,
    },
  },
  {
    name: 'jsx-ast-utils',
    package: 'jsx-ast-utils@3.3.5',
    language: 'JavaScript',
    runner: 'jest',
    how: 'Jest 30',
    packages: [...BABEL, '@babel/parser@7', 'flow-parser@0.126', 'jest@30', 'object.entries@1', 'object.fromentries@2'],
    files: {
      '.babelrc': `{}\n`,
      'babel.config.cjs': `module.exports = { presets: [${PRESET_ENV}] };\n`,
      'jest.config.cjs': `module.exports = { testMatch: ['<rootDir>/__tests__/src/**/*.js'] };\n`,
    },
  },
];
