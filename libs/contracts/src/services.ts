/** The nine services. */
export const SERVICES = ['gateway', 'agent', 'session', 'job', 'task', 'dataset', 'key', 'event-bus', 'relay'] as const;
export type ServiceName = (typeof SERVICES)[number];
