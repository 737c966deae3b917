import type { ServiceName } from '../service-names';

export interface ServiceSize {
  cpu: string;
  memoryMi: number;
  /** The kernel ends a container above it. Runs of tests hold every process to it as well. */
  memoryLimitMi: number;
  /** Node is to collect its garbage before that. */
  heapMi: number;
}

/** Half of what an autoscaler lets a process use on average: 0.6 cores. */
const CPU = '300m';
const USUAL = 224;
const SIZES: Partial<Record<ServiceName, number>> = {
  // It keeps 10,000 idle streams of 44 KiB each (CONNECTIONS), and has to have room for work beside them.
  gateway: 384,
  relay: 320,
  dataset: 512,
};

/** The one table of what a process of a service asks for and may take: Kubernetes, `npm start` and the tests read it. */
export function sizeOf(service: ServiceName): ServiceSize {
  const memoryMi = SIZES[service] ?? USUAL;
  const memoryLimitMi = memoryMi * 2;
  return { cpu: CPU, memoryMi, memoryLimitMi, heapMi: Math.floor(memoryLimitMi * 0.75) };
}
