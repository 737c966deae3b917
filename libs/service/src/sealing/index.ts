export * from './keyed-fingerprint';
export * from './reencrypt-rows';
export * from './encrypter';
