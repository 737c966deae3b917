import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { NATS_ACCOUNT_ID } from '../key/nats-accounts';
import { AttemptError, DeliveryView } from './envelopes';

export const ENDPOINT_TRANSPORTS = ['http', 'nats'] as const;
export type EndpointTransport = (typeof ENDPOINT_TRANSPORTS)[number];

/** FAILING from the first failed attempt until the next success. DISABLED: nothing is sent until it is resumed. */
export const ENDPOINT_STATUSES = ['HEALTHY', 'FAILING', 'DISABLED'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

export const ENDPOINT_DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED', 'DISCARDED'] as const;
export type EndpointDeliveryStatus = (typeof ENDPOINT_DELIVERY_STATUSES)[number];
export const REPLAYED_STATUSES = ['FAILED', 'DELIVERED', 'DISCARDED'] as const;
export type ReplayedStatus = (typeof REPLAYED_STATUSES)[number];

/** Deliveries that one replay sends again. */
export const MAX_REPLAYED = 100_000;
/** In the view of an endpoint, and in a change: the stored value. */
export const STORED_HEADER = '***';

const HEADERS = f.record(32 * 1024, f.text({ max: 8192 }), { max: 20 });
const URL_TEXT = f.text({ min: 1, max: 2048 });
const IN_FLIGHT = f.int({ min: 1, max: 256 });
/** Of an endpoint over HTTP. */
export const MAX_IN_FLIGHT_HTTP = 64;
const ACK_SECONDS = f.int({ min: 5, max: 600 });
const URL_DESCRIPTION = 'Where the platform sends events: an `https` address without user name and password.';
const HEADERS_DESCRIPTION =
  'Headers of each request. A value may hold `{{ secrets.NAME }}`. Other values are stored encrypted and shown as `***`.';
const IN_FLIGHT_DESCRIPTION = 'Most deliveries to the endpoint at one time: up to 64 over HTTP, up to 256 over NATS.';
const ACK_SECONDS_DESCRIPTION = 'How long a service may take for its reply, over NATS.';
const ACTIVE_DESCRIPTION = 'Whether events are sent. Those that match while it is inactive fail.';

@Described('A new endpoint.')
export class CreateEndpoint {
  @Field(
    f.text({
      min: 1,
      max: 63,
      pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
      allows: 'must be 1 to 63 lower-case letters, digits and -, and not begin with -',
    }),
    { example: 'billing', description: 'Unique in the Space. It cannot be changed.' },
  )
  name!: string;
  @Field(f.oneOf(ENDPOINT_TRANSPORTS), {
    optional: true,
    description: 'How events are sent: to an address (default), or to a service over NATS.',
  })
  transport?: EndpointTransport;
  @Field(URL_TEXT, { optional: true, example: 'https://example.com/events', description: URL_DESCRIPTION })
  url?: string;
  @Field(NATS_ACCOUNT_ID, {
    optional: true,
    description: 'Account of the service, with `transport: nats`. Such an endpoint has no `url` and no `headers`.',
  })
  natsAccountId?: string;
  @Field(HEADERS, { optional: true, description: HEADERS_DESCRIPTION }) headers?: Record<string, string>;
  @Field(IN_FLIGHT, { optional: true, description: `${IN_FLIGHT_DESCRIPTION} Default 4, over NATS 16.` })
  inFlight?: number;
  @Field(ACK_SECONDS, { optional: true, description: `${ACK_SECONDS_DESCRIPTION} Default 30.` }) ackSeconds?: number;
  @Field(f.bool(), { optional: true, description: ACTIVE_DESCRIPTION }) active?: boolean;
}

@Described('Changes of an endpoint. Given fields are replaced, the others stay.')
export class ChangeEndpoint {
  @Field(URL_TEXT, { optional: true, description: URL_DESCRIPTION }) url?: string;
  @Field(HEADERS, {
    optional: true,
    description: `${HEADERS_DESCRIPTION} All headers are replaced; the value \`***\` keeps the stored one.`,
  })
  headers?: Record<string, string>;
  @Field(IN_FLIGHT, { optional: true, description: IN_FLIGHT_DESCRIPTION }) inFlight?: number;
  @Field(ACK_SECONDS, { optional: true, description: ACK_SECONDS_DESCRIPTION }) ackSeconds?: number;
  @Field(f.bool(), { optional: true, description: ACTIVE_DESCRIPTION }) active?: boolean;
}

export class UpdateEndpoint extends ChangeEndpoint {
  @Field(f.id()) id!: string;
}

@Described('An endpoint: an address or a service of yours to which the platform sends events.')
export class EndpointView {
  @Field(f.id()) id!: string;
  @Field(f.text(), { description: 'Name of the endpoint, unique in the Space.' }) name!: string;
  @Field(f.oneOf(ENDPOINT_TRANSPORTS), { description: 'How events are sent.' }) transport!: EndpointTransport;
  @Field(f.text(), {
    nullable: true,
    description: 'The address; null over NATS. Callers without the role ADMIN see its scheme and host only.',
  })
  url!: string | null;
  @Field(f.text(), { nullable: true, description: 'Account of the service; null over HTTP.' })
  natsAccountId!: string | null;
  @Field(f.record(64 * 1024, f.text()), {
    optional: true,
    description: 'Headers of each request; literal values are shown as `***`. Only for ADMIN and up.',
  })
  headers?: Record<string, string>;
  @Field(f.text(), {
    optional: true,
    description:
      'Why nothing can be sent to it, such as headers that cannot be decrypted after the loss of a key, and how to mend it. Absent if there is nothing. Only for ADMIN and up.',
  })
  problem?: string;
  @Field(f.int(), { description: IN_FLIGHT_DESCRIPTION }) inFlight!: number;
  @Field(f.int(), { nullable: true, description: `${ACK_SECONDS_DESCRIPTION} Null over HTTP.` })
  ackSeconds!: number | null;
  @Field(f.bool(), { description: ACTIVE_DESCRIPTION }) active!: boolean;
  @Field(f.oneOf(ENDPOINT_STATUSES), {
    description:
      '`FAILING`: the latest attempts failed. `DISABLED`: nothing is sent, after five days of failures, the answer 410, or the end of the account.',
  })
  status!: EndpointStatus;
  @Field(f.text(), { nullable: true, description: 'Code of the latest failure; null while it is healthy.' })
  failingReason!: string | null;
  @Field(f.time(), { nullable: true, description: 'First failure since the last success; null while it is healthy.' })
  failingSince!: string | null;
  @Field(f.time(), { nullable: true, description: 'Time of the last success, to the second.' })
  lastSuccessAt!: string | null;
  @Field(f.id(), { nullable: true }) createdBy!: string | null;
  @Field(f.time()) createdAt!: string;
}

@Described('An endpoint with its signing secret, which is shown once. Over NATS there is none.')
export class EndpointWithSecret extends EndpointView {
  @Field(f.text(), {
    secret: true,
    optional: true,
    description: 'Key of the signatures, `whsec_...`. Absent over NATS, and when the answer is an idempotent replay.',
  })
  secret?: string;
}

@Described('How long the former secret signs beside the new one.')
export class RotateEndpointSecretBody {
  @Field(f.int({ min: 0, max: 86_400 }), {
    optional: true,
    description: 'Both secrets sign for so many seconds. Default 86,400.',
  })
  graceSeconds?: number;
}

export class RotateEndpointSecret extends RotateEndpointSecretBody {
  @Field(f.id()) id!: string;
}

@Described('The event of a test.')
export class TestEndpointBody {
  @Field(f.text({ min: 1, max: 63 }), { optional: true, description: 'Identifier of the application, with `event`.' })
  appIdentifier?: string;
  @Field(f.text({ min: 1, max: 128 }), {
    optional: true,
    description: 'A registered event: an example of its payload is sent. Without it the type is `endpoint.test`.',
  })
  event?: string;
}

export class TestEndpoint extends TestEndpointBody {
  @Field(f.id()) id!: string;
}

@Described('Outcome of a test.')
export class EndpointTested {
  @Field(f.int(), { nullable: true, description: 'Status of the answer; null without one.' }) status!: number | null;
  @Field(f.int({ min: 0 }), { description: 'Duration of the request.' }) durationMs!: number;
  @Field(f.object(() => AttemptError), {
    nullable: true,
    description: 'Why the test failed; null for an answer of 2xx.',
  })
  error!: AttemptError | null;
}

@Described('Which deliveries to send again.')
export class ReplayEndpointBody {
  @Field(f.time(), { description: 'Emitted at this time or later.' }) from!: string;
  @Field(f.time(), { optional: true, description: 'Emitted before this time.' }) to?: string;
  @Field(f.oneOf(REPLAYED_STATUSES), {
    optional: true,
    description: 'Status of the latest delivery of the envelope to this endpoint. Default `FAILED`.',
  })
  status?: ReplayedStatus;
}

export class ReplayEndpoint extends ReplayEndpointBody {
  @Field(f.id()) id!: string;
}

@Described('A replay to an endpoint.')
export class EndpointReplayed {
  @Field(f.id()) id!: string;
  @Field(f.int({ min: 0 }), { description: 'How many envelopes are sent again, at most 100,000.' }) matched!: number;
}

@Described('A delivery to an endpoint.')
export class EndpointDeliveryView extends DeliveryView {
  @Field(f.id()) id!: string;
  @Field(f.id()) envelopeId!: string;
  @Field(f.text(), { description: 'Name of the event.' }) event!: string;
  @Field(f.time()) createdAt!: string;
}

export class ListEndpointDeliveriesQuery extends PageRequest {
  @Field(f.oneOf(ENDPOINT_DELIVERY_STATUSES), { optional: true, description: 'Only deliveries with this status.' })
  status?: EndpointDeliveryStatus;
  @Field(f.text({ min: 1, max: 128 }), { optional: true, description: 'Only deliveries of this event.' })
  event?: string;
  @Field(f.time(), { optional: true, description: 'Emitted at this time or later.' }) from?: string;
  @Field(f.time(), { optional: true, description: 'Emitted before this time.' }) to?: string;
}

export class ListEndpointDeliveries extends ListEndpointDeliveriesQuery {
  @Field(f.id()) id!: string;
}
