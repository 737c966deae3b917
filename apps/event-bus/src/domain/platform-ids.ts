import { createHash } from 'node:crypto';

/** Ids of the platform's own application and events: lists are by id, newest first, so they come last. */
const OLDEST = '00000000-0000-7';

/** The same for a Space and name at all times, so that any process may register them. */
function platformId(spaceId: string, name: string): string {
  const hash = createHash('sha256').update(`${spaceId} ${name}`).digest('hex');
  return `${OLDEST}${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

export const platformApplicationId = (spaceId: string): string => platformId(spaceId, 'application');

export const platformEventId = (spaceId: string, event: string): string => platformId(spaceId, `event ${event}`);

/** Other ids begin with the time at which they were made. */
export const isPlatformId = (id: string): boolean => id.startsWith(OLDEST);
