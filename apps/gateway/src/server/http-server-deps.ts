import type { INestApplicationContext } from '@nestjs/common';
import { RequestAuthorizer } from '../auth/request-authorizer';
import { ConnectionLimits } from '../limits/connection-limits';
import { ByteHolder } from '../limits/byte-reservation';
import { UnreadResponses } from '../limits/unread-responses';
import { RelayProxy } from '../relay/relay-proxy';

/** Dependencies of the HTTP server. */
export interface HttpServerDeps {
  authorizer: RequestAuthorizer;
  bytes: ByteHolder;
  connections: ConnectionLimits;
  unread: UnreadResponses;
  relay: RelayProxy;
}

export const httpServerDepsOf = (app: INestApplicationContext): HttpServerDeps => ({
  authorizer: app.get(RequestAuthorizer, { strict: false }),
  bytes: app.get(ByteHolder, { strict: false }),
  connections: app.get(ConnectionLimits, { strict: false }),
  unread: app.get(UnreadResponses, { strict: false }),
  relay: app.get(RelayProxy, { strict: false }),
});
