import { LOG_LEVELS, type ServiceSettings } from '@switchyard/service';

/** Of what the process itself logs. A service that was given a level that does not exist does not start, and says so. */
export const logLevelOf = ({ LOG_LEVEL }: ServiceSettings): string =>
  LOG_LEVELS.find((level) => level === LOG_LEVEL) ?? 'info';
