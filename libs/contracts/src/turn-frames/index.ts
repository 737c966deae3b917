// No imports from outside this folder: the published client has a copy of its types and readers.
export * from './delta';
export * from './dotted-names';
export * from './envelope';
export * from './handle';
export * from './product-events';
export * from './read';
export * from './turn-frame';
export * from './write';
