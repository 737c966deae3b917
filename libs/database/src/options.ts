import type { MigrationInterface } from 'typeorm';
import type { Table } from './tables/table';

export interface DatabaseOptions {
  service: string;
  url: string;
  poolSize: number;
  /** Connections of one Space while others wait, in percent of the pool. */
  spaceSharePercent?: number;
  /** Whose share of the connections a Space uses: its own, when not said. */
  payerOf?: (spaceId: string) => string;
  /** How long a caller waits for a connection before it gets a 503. */
  poolWaitMs?: number;
  statementTimeoutMs?: number;
  log: { warn(fields: object, text: string): void; error(fields: object, text: string): void };
  /** Those whose rows are read and written through TypeORM. */
  tables?: readonly Table[];
  /** Its users search it by whatever they like: plans may read whole tables. Elsewhere every row is reached by a key. */
  isSearched?: boolean;
  /** Nothing then marks what runs inside a transaction: the mark costs every promise of the process something. */
  isProduction?: boolean;
}

export type Migration = new () => MigrationInterface;

/** A service's name as part of an identifier. */
export const schemaOfService = (service: string): string => service.replaceAll('-', '_');
