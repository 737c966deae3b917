import type { IncomingMessage, ServerResponse } from 'node:http';
import { Field, checkRequest, f } from '@switchyard/contracts';
import { FAILPOINTS, FAILPOINT_ACTIONS, type ArmedFailpoint, openFailpoints } from '@switchyard/kernel';
import type { InternalRoutes } from './internal-routes';

class ArmFailpoint {
  @Field(f.oneOf(FAILPOINTS)) name!: (typeof FAILPOINTS)[number];
  @Field(f.oneOf(FAILPOINT_ACTIONS)) action!: ArmedFailpoint['action'];
  @Field(f.int({ min: 1 }), { optional: true }) atHit?: number;
  @Field(f.int({ min: 0, max: 600_000 }), { optional: true }) delayMs?: number;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** `GET /failpoints` tells how often each was passed; `POST` arms one. There only where the configuration opened them. */
export function serveFailpoints(routes: InternalRoutes): void {
  const { hits, armed } = openFailpoints();
  routes.add('/failpoints', async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') {
      const body = await bodyOf(request);
      checkRequest(ArmFailpoint, body);
      const { name, action, atHit = 1, delayMs = 0 } = body as ArmFailpoint;
      armed.set(name, { name, action, atHit, delayMs });
    }
    const answer = { hits: Object.fromEntries(hits), armed: [...armed.keys()] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
}
