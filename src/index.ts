import { startAgent } from './agent/start.js';

startAgent();
