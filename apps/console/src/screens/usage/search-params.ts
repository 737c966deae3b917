import { oneOf, searchOf } from '../../api/search-params';
import type { Group } from './breakdown';

export const SPANS = ['7', '30', '90'] as const;
export const GROUPS: readonly Group[] = ['day', 'model', 'agent', 'user', 'key', 'source'];

export const usageSearch = searchOf({ days: oneOf(SPANS), by: oneOf(GROUPS) });
