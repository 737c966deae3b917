export * from './address';
export * from './allowed-hosts';
export * from './egress-policy';
export * from './egress';
export * from './guarded-dispatcher';
export * from './guarded-fetch';
