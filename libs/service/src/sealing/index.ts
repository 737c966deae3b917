export * from './keyed-fingerprint';
export * from './reseal';
export * from './sealer';
