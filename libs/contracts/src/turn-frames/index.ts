// Imports nothing from outside this folder: the published client has a copy of it.
export * from './delta';
export * from './handle';
export * from './product-events';
export * from './read';
export * from './turn-frame';
export * from './write';
