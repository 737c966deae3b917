import type { ApiKey } from '@switchyard/client';
import { oneOf, searchOf } from '../../api/search-params';

export const STATES: readonly ApiKey['status'][] = ['ACTIVE', 'REVOKED', 'EXPIRED'];

export const keysSearch = searchOf({ status: oneOf(STATES) });
