import type { INestApplicationContext } from '@nestjs/common';
import { Gate } from '../auth/gate';
import { ConnectionLimits } from '../limits/connection-limits';
import { ByteHolder } from '../limits/held-bytes';
import { UnreadAnswers } from '../limits/unread-answers';
import { RelayDoor } from '../relay/relay-door';

/** Dependencies of the HTTP server. */
export interface DoorParts {
  gate: Gate;
  bytes: ByteHolder;
  connections: ConnectionLimits;
  unread: UnreadAnswers;
  relay: RelayDoor;
}

export const doorPartsOf = (app: INestApplicationContext): DoorParts => ({
  gate: app.get(Gate, { strict: false }),
  bytes: app.get(ByteHolder, { strict: false }),
  connections: app.get(ConnectionLimits, { strict: false }),
  unread: app.get(UnreadAnswers, { strict: false }),
  relay: app.get(RelayDoor, { strict: false }),
});
