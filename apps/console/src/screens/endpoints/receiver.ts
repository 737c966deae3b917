import type { Endpoint } from '@switchyard/client';

/** Where its deliveries go. Without the role ADMIN an address is its host alone. */
export const receiverOf = ({ transport, url, natsAccountId }: Endpoint): string =>
  transport === 'nats' ? `NATS account ${natsAccountId ?? ''}` : (url ?? '');
