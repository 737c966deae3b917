import type { InProcessProxy } from '@switchyard/contracts';
import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';

/** Environment variables of one service. */
export type ServiceSettings = Readonly<Record<string, string | undefined>>;

/** Functions that the services of one process offer each other in place of a connection. */
export class Neighbours {
  relayProxy: InProcessProxy | undefined;
}

/** One of several services of a process. */
export interface Hosting {
  settings: ServiceSettings;
  /** The same for all services of the process. */
  neighbours: Neighbours;
  /** Whether its metrics include those of the process (memory, processor time, event loop), and its log the stalls. */
  isFirst: boolean;
}

/** Given by a host. If it is missing, the service has a process to itself, whose environment holds its settings. */
export const HOSTING = Symbol('HOSTING');
/** `ServiceSettings` of the service. */
export const SETTINGS = Symbol('SETTINGS');

// oxlint-disable-next-line no-restricted-properties -- a service with a process to itself
export const settingsOf = (hosting?: Hosting): ServiceSettings => hosting?.settings ?? process.env;

/** The root of a service that shares its process with others. */
@Global()
@Module({})
export class HostedModule {
  static of(service: Type, hosting: Hosting): DynamicModule {
    return {
      module: HostedModule,
      imports: [service],
      providers: [{ provide: HOSTING, useValue: hosting }],
      exports: [HOSTING],
    };
  }
}
