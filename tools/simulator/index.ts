export { startSimulator } from './server';
export type { Simulator } from './server';
export { embed, DIMENSIONS } from './vector';
