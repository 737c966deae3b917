import type { ServiceName } from './service-names';

/** Where everything of one running platform is found. */
export interface Endpoints {
  gatewayHost: string;
  gatewayPort: number;
  gatewayUrl: string;
  internalPorts: Record<ServiceName, number>;
  /** With the administrator's login, which no service gets. */
  databaseUrl: string;
  /** Each service's own login. The gateway has none. */
  databaseLogins: Partial<Record<ServiceName, string>>;
  /** Beside the data of our own Postgres, so that both are deleted together; empty with another one. */
  relayJournalFolder: string;
  natsUrl: string;
  isNatsOurs: boolean;
  redisUrl: string;
  /** The NATS server of companies' services; empty: the NATS API is off. */
  natsApiUrl: string;
  isNatsApiOurs: boolean;
  simulatorPort: number;
  simulatorUrl: string;
}
