// For a test262 runner: sites at statements too, every cell idle.
import { createTransform } from './instrumented.mjs';
import { idle } from './transform-idle.mjs';

export const { transform, realm } = createTransform(idle, 0);
