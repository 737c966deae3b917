import type { JsonSchema } from '@switchyard/contracts';

const TYPES = ['succeeded', 'failed', 'cancelled', 'timed_out'].map((phase) => `agent_job.${phase}`);

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Requests that the platform sends. */
export const webhooks = (): Record<string, Record<string, JsonSchema>> => ({
  agentJobEnded: {
    post: {
      operationId: 'receiveAgentJob',
      summary: 'A job with a callbackUrl has ended',
      description:
        'Sent to the `callbackUrl` of the job, and signed as Standard Webhooks describe with the `webhookSecret` of the Space. Verify the signature, and refuse old timestamps. The same callback may arrive twice: compare `webhook-id`.',
      tags: ['agent-jobs'],
      security: [],
      parameters: [
        header('webhook-id', 'Id of the callback; the same in each of its deliveries.'),
        header('webhook-timestamp', 'Time of the signature in seconds since 1970.'),
        header(
          'webhook-signature',
          '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`.',
        ),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              description: 'The callback.',
              properties: {
                type: { type: 'string', enum: TYPES, description: 'The phase in which the job ended.' },
                timestamp: { type: 'string', format: 'date-time', description: 'Time of the end.' },
                data: { $ref: '#/components/schemas/JobView', description: 'The job.' },
              },
              required: ['type', 'timestamp', 'data'],
            },
          },
        },
      },
      responses: {
        '2XX': { description: 'The callback was received. It is not sent again.' },
        '410': { description: 'The callback is not wanted. It is not sent again.' },
        default: { description: 'The callback is sent again, nine times in about 20 hours.' },
      },
    },
  },
});
