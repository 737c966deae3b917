export * from './ip-address';
export * from './allowed-hosts';
export * from './egress-policy';
export * from './outbound-http';
export * from './guarded-dispatcher';
export * from './guarded-fetch';
