// A job in the background, and a receiver that believes its callback only when the signature is right.
import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SwitchyardClient, text } from '@switchyard/client';
import { Webhook } from 'standardwebhooks';
import { key, url } from './settings';

// The platform calls no private addresses, but those that SWITCHYARD_ALLOW_PRIVATE_EGRESS lists.
const host = process.env.RECEIVER_HOST ?? '127.0.0.2';

interface Callback {
  type: string;
  data: { id: string; result: { answer: string } };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function main(): Promise<void> {
  const client = new SwitchyardClient({ baseUrl: url, credential: key });
  const me = await client.request<{ data: { space: { id: string } } }>({ method: 'GET', path: '/auth/me' });
  const space = await client.request<{ data: { webhookSecret: string } }>({
    method: 'GET',
    path: `/spaces/${me.data.space.id}`,
  });
  const webhook = new Webhook(space.data.webhookSecret);

  const server = createServer();
  const received = new Promise<Callback>((resolve) => {
    server.on('request', (request, response) => {
      void bodyOf(request).then((body) => {
        try {
          // Throws when it was not signed with our secret, or is older than five minutes.
          const callback = webhook.verify(body, request.headers as Record<string, string>) as Callback;
          response.writeHead(204).end();
          resolve(callback);
        } catch {
          response.writeHead(401).end();
        }
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const callbackUrl = `http://${host}:${(server.address() as AddressInfo).port}/`;

  const forged = await fetch(callbackUrl, { method: 'POST', body: '{"type":"agent_job.succeeded"}' });
  console.log(`Somebody else's callback: ${forged.status}`);

  const agent = await client.agents.create({ name: 'Worker', model: 'sim-chat', systemPrompt: 'You work.' });
  const job = await client.jobs.submit({
    agentId: agent.id,
    input: { contents: text('Sort the mail') },
    callbackUrl,
    idempotencyKey: crypto.randomUUID(),
  });
  const { type, data } = await received;
  console.log(`${type}: ${data.result.answer}`);
  console.log(`It is the job that we submitted: ${data.id === job.id}`);
  server.close();
}

void main();
