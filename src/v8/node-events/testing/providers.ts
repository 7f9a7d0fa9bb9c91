import asyncHooks from 'node:async_hooks';

/** The types of Node's async contexts, with their numbers. The types of Node 20 lack it. */
export const { asyncWrapProviders } = asyncHooks as unknown as { asyncWrapProviders: Readonly<Record<string, number>> };
