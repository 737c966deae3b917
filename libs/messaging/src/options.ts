import type { ServiceName } from '@switchyard/contracts';

/** The few lines of log that the bus writes; pino fits. */
export interface BusLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
  debug(fields: object, text: string): void;
}

export interface BusOptions {
  service: ServiceName;
  /** Tells replicas of one service apart; part of private subjects. */
  instance: string;
  natsUrl: string;
  /** Without a seed the URL's own credentials are used. */
  nkeySeed?: string;
  /** Ed25519, base64url: this service's seed and every service's public half. */
  privateKey: string;
  publicKeys: Readonly<Record<string, string>>;
  /** Until then, seals of the version before, of identities alone, are made as well, and believed. */
  unboundSealsUntil?: number;
  /** Until then, secret fields are sent as the version before sends them. */
  plainSecretsUntil?: number;
  /** Where the offline road leads, by service. */
  internalUrls: Readonly<Record<string, string>>;
  /** Bytes of large messages that this process holds until they are fetched (256 MiB when not said). */
  partsMaxBytes?: number;
  /** Whose share a Space uses of what this process holds: its own, when not said. */
  payerOf?: (spaceId: string) => string;
  /** Defects of the code are logged there, and not thrown. */
  isProduction?: boolean;
  log: BusLog;
}

export const BUS_OPTIONS = Symbol('BUS_OPTIONS');
