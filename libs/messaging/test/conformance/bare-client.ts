import { type NatsConnection, connect } from 'nats';

/** The plain client library, as the baseline for measurements. */
export const bareClient = (natsUrl: string): Promise<NatsConnection> => connect({ servers: natsUrl });
