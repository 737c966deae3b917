import {
  CONTRACTS_VERSION,
  type Manifest,
  type ManifestEvent,
  PLATFORM_EVENTS,
  platformEventDescription,
  platformEventSchema,
} from '@switchyard/contracts';
import { AppError, fingerprint } from '@switchyard/kernel';

export const platformEvents: readonly ManifestEvent[] = Object.entries(PLATFORM_EVENTS).map(([name, event]) => ({
  name,
  description: platformEventDescription(event),
  schema: platformEventSchema(name, event),
}));

const byName = new Map(platformEvents.map((event) => [event.name, event]));

export const platformEventNamed = (name: string): ManifestEvent | undefined => byName.get(name);

/** Changes with the table: a Space registers its events again. */
export const PLATFORM_TABLE = fingerprint(Object.keys(PLATFORM_EVENTS));

export const platformManifest = (identifier: string): Manifest => ({
  identifier,
  name: 'Switchyard',
  version: `0.${CONTRACTS_VERSION}.0`,
  events: [...platformEvents],
});

export const refusePlatform = (): AppError =>
  new AppError(
    'FORBIDDEN',
    'This application belongs to the platform: only the platform changes it and emits its events.',
  );
