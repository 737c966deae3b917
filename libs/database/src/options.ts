import type { MigrationInterface } from 'typeorm';

export interface DatabaseOptions {
  service: string;
  url: string;
  poolSize: number;
  log: { warn(fields: object, text: string): void; error(fields: object, text: string): void };
  entities?: (new () => object)[];
  /** Its users search it by whatever they like: plans may read whole tables. Elsewhere every row is reached by a key. */
  isSearched?: boolean;
}

export type Migration = new () => MigrationInterface;

/** A service's name as part of an identifier. */
export const schemaOfService = (service: string): string => service.replaceAll('-', '_');
