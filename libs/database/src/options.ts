import type { MigrationInterface } from 'typeorm';
import type { Table } from './tables/table';

export interface DatabaseOptions {
  service: string;
  url: string;
  /** Of the same login, while its password is changed. */
  secondPassword?: string | undefined;
  poolSize: number;
  /** Most connections of one Space while others wait, in percent of the pool. */
  spaceSharePercent?: number;
  /** The payer whose share a Space uses; default: the Space itself. */
  payerOf?: (spaceId: string) => string;
  /** How long a caller waits for a connection before a 503. */
  poolWaitMs?: number;
  statementTimeoutMs?: number;
  log: { warn(fields: object, text: string): void; error(fields: object, text: string): void };
  /** Tables used through TypeORM. */
  tables?: readonly Table[];
  /** Users search freely, so plans may scan whole tables. Other services reach every row by a key. */
  isSearched?: boolean;
  /** Disables the detection of calls inside transactions, which costs every promise. */
  isProduction?: boolean;
}

export type Migration = new () => MigrationInterface;

/** A service's name as part of an identifier. */
export const schemaOfService = (service: string): string => service.replaceAll('-', '_');
