import { oneOf, searchOf, text } from '../../api/search-params';

export const SPACE_STATES = ['ACTIVE', 'SUSPENDED'] as const;
export const SPACE_SORTS = ['createdAt', 'tokens', 'bytes'] as const;

export const spacesSearch = searchOf({ q: text, status: oneOf(SPACE_STATES), sort: oneOf(SPACE_SORTS) });
export const eventsSearch = searchOf({ action: text });
export const peopleSearch = searchOf({ q: text });
