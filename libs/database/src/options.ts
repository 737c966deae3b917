import type { MigrationInterface } from 'typeorm';

export interface DatabaseOptions {
  service: string;
  url: string;
  poolSize: number;
  log: { warn(fields: object, text: string): void; error(fields: object, text: string): void };
  entities?: (new () => object)[];
  /** Every statement of the service reaches its rows by a key: no plan may read a whole table. */
  isKeyed?: boolean;
}

export type Migration = new () => MigrationInterface;

/** A service's name as part of an identifier. */
export const schemaOfService = (service: string): string => service.replaceAll('-', '_');
