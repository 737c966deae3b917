import { type NatsConnection, connect } from 'nats';

/** The client library as it comes: what the bus is measured beside. */
export const bareClient = (natsUrl: string): Promise<NatsConnection> => connect({ servers: natsUrl });
