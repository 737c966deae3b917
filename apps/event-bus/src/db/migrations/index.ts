import { EventBusBaseline1700000001000 } from './0001-baseline';
import { Endpoints1700000002000 } from './0002-endpoints';
import { PlatformEvents1700000003000 } from './0003-platform-events';
import { EndpointsOverNats1700000004000 } from './0004-endpoints-over-nats';
import { OwnPlatformEvents1700000005000 } from './0005-own-platform-events';
import { PrivateEnvelopes1700000006000 } from './0006-private-envelopes';
import { EndpointReplays1700000007000 } from './0007-endpoint-replays';
import { EndedDeliveries1700000008000 } from './0008-ended-deliveries';
import { EmissionTraces1700000009000 } from './0009-emission-traces';

export const migrations = [
  EventBusBaseline1700000001000,
  Endpoints1700000002000,
  PlatformEvents1700000003000,
  EndpointsOverNats1700000004000,
  OwnPlatformEvents1700000005000,
  PrivateEnvelopes1700000006000,
  EndpointReplays1700000007000,
  EndedDeliveries1700000008000,
  EmissionTraces1700000009000,
];
