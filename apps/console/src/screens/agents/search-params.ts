import { oneOf, searchOf, text } from '../../api/search-params';

const PERIODS = ['day', 'week', 'quarter'] as const;
export type LatencyPeriod = (typeof PERIODS)[number];

export const agentsSearch = searchOf({ q: text });
export const agentSearch = searchOf({ latency: oneOf(PERIODS) });
