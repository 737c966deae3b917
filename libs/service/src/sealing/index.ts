export * from './reseal';
export * from './sealer';
