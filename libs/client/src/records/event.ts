import type { Schemas } from '../api/schemas';

/** The same key and payload again is answered with the first envelope. */
export type Emission = Schemas['EmitEvent'];
export type EmissionByHand = Schemas['EmitByHandBody'];
export type EmissionReceipt = Schemas['Emitted'];
export type Envelope = Schemas['EnvelopeView'];
export type EnvelopeDetails = Schemas['EnvelopeDetails'];
export type RegisteredEvent = Schemas['RegisteredEventView'];
export type Subscription = Schemas['SubscriptionView'];
export type NewSubscription = Schemas['CreateSubscription'];
export type SubscriptionChanges = Schemas['ChangeSubscription'];
export type TestedEmission = Schemas['TestedEmission'];
export type EventStats = Schemas['EventStats'];
export type Replay = Schemas['Replayed'];
export type Application = Schemas['ApplicationView'];
/** With `systemApiKey`, shown this once. */
export type InstalledApplication = Schemas['ApplicationWithKey'];
export type Manifest = Schemas['Manifest'];
export type Endpoint = Schemas['EndpointView'];
/** With `secret`, shown this once. */
export type EndpointWithSecret = Schemas['EndpointWithSecret'];
export type NewEndpoint = Schemas['CreateEndpoint'];
export type EndpointChanges = Schemas['ChangeEndpoint'];
export type EndpointDelivery = Schemas['EndpointDeliveryView'];
export type EndpointTested = Schemas['EndpointTested'];
export type EndpointReplay = Schemas['ReplayEndpointBody'];
export type EndpointReplayed = Schemas['EndpointReplayed'];
