import type { ServiceName } from '@switchyard/contracts';
import type { ReachedLimit } from '@switchyard/kernel';

/** Log methods of the bus; pino fits. */
export interface BusLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
  debug(fields: object, text: string): void;
}

export interface BusOptions {
  service: ServiceName;
  /** Identifies a replica of a service; part of private subjects. */
  instance: string;
  natsUrl: string;
  /** Default: the credentials of the URL. */
  nkeySeed?: string;
  /** Ed25519, base64url: this service's seed and every service's public key; two with a comma while they are rotated. */
  privateKey: string;
  publicKeys: Readonly<Record<string, string>>;
  /** Base URL of each service for the HTTP fallback. */
  internalUrls: Readonly<Record<string, string>>;
  /** Most bytes of large messages buffered until they are fetched (default 256 MiB). */
  partsMaxBytes?: number;
  /** The payer whose share a Space uses; default: the Space itself. */
  payerOf?: (spaceId: string) => string;
  /** Called where a handler refuses because of a limit of the Space. */
  onReachedLimit?: (spaceId: string, limit: ReachedLimit) => void;
  /** Programming errors are logged instead of thrown. */
  isProduction?: boolean;
  log: BusLog;
}

export const BUS_OPTIONS = Symbol('BUS_OPTIONS');
