// No imports from outside this folder: the published client has a copy of its types and readers.
export * from './delta-frames';
export * from './event-display-names';
export * from './frame-envelope';
export * from './frame-handlers';
export * from './product-events';
export * from './read-frames';
export * from './turn-frame';
export * from './write-frames';
