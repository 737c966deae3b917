import type { ServiceName } from '../service-names';

/**
 * The services with `redis: true`. They alone are told where Redis is, and reach it: `npm start`, Compose, Kubernetes and
 * the chart read this list, and a test holds it to the configurations of the services.
 */
export const REDIS_READERS: readonly ServiceName[] = ['gateway', 'key'];

export const readsRedis = (service: ServiceName): boolean => REDIS_READERS.includes(service);
