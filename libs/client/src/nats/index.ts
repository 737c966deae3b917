export type { NatsAccountOptions, NatsConnection, NatsHeaders, NatsMessage, NatsSubscription } from './connection';
export { natsFetch } from './nats-fetch';
export { DiscardEvent, type EventHandler, type ReceivedContext, type ReceiveOptions, receive } from './receive';
export type { WebhookEvent } from '../webhooks/event';
