import type { Envelope } from '@switchyard/client';

const SOURCES: Record<Envelope['source'], string> = {
  app: 'Application',
  datasource: 'Dataset',
  system: 'Run',
  user: 'Person',
};

/** The emitter. */
export const sourceOf = (source: Envelope['source']): string => SOURCES[source];

export const EMISSION_SOURCES = Object.keys(SOURCES) as Envelope['source'][];
