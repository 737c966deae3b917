export const durableName = (service: string, event: string): string => `${service}-${event.replaceAll('.', '_')}`;
