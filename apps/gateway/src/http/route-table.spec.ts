import { AppError } from '@switchyard/kernel';
import fastify, { type FastifyInstance } from 'fastify';
import { RouteTable } from './route-table';

const ROUTES = [
  'GET /keys',
  'POST /keys',
  'GET /keys/:keyId',
  'PUT /keys/:keyId',
  'POST /keys/validate',
  'GET /agents/:id',
  'PUT /agents/:agentId',
  'DELETE /agents/:agentId',
  'POST /agents/:agentId/chat',
  'GET /agents/sessions',
  'POST /agents/sessions',
  'GET /agents/sessions/:sessionId',
  'GET /agents/system-agents',
  'POST /models/*',
  'POST /models/v1/*',
  'GET /console/*',
];

describe('the routes of the door', () => {
  let server: FastifyInstance;

  beforeAll(async () => {
    server = fastify();
    const table = new RouteTable();
    table.watch(server);
    for (const route of ROUTES) {
      const [method = '', url = ''] = route.split(' ');
      server.route({ method, url, handler: () => route });
    }
    table.complete(server);
    server.setErrorHandler((error, _, reply) => {
      const { status, headers } = error as AppError;
      return reply
        .status(status)
        .headers(headers ?? {})
        .send('');
    });
    server.setNotFoundHandler((request) => {
      throw table.refusal(request);
    });
    await server.ready();
  });

  const ask = async (method: string, url: string): Promise<string> => {
    const { statusCode, headers, body } = await server.inject({ method: method as 'GET', url });
    return statusCode === 200 ? body : `${statusCode} ${headers['allow']?.toString() ?? ''}`.trim();
  };

  test.each([
    ['GET /keys/validate', '405 POST'],
    ['HEAD /keys/validate', '405 POST'],
    ['PUT /keys/validate', '405 POST'],
    ['OPTIONS /keys/validate', '405 POST'],
    ['POST /keys/7', '405 GET, HEAD, PUT'],
    ['PUT /agents/sessions', '405 GET, HEAD, POST'],
    ['DELETE /agents/system-agents', '405 GET, HEAD'],
    ['POST /agents/system-agents', '405 GET, HEAD'],
    ['POST /agents/sessions/chat', '405 GET, HEAD'],
    ['PATCH /agents/7', '405 DELETE, GET, HEAD, PUT'],
    ['PUT /models/v1/x', '405 POST'],
    ['OPTIONS /models/v1/x', '405 POST'],
    ['PATCH /agents', '404'],
    ['POST /keys/', '404'],
    ['POST /agents/', '404'],
    ['POST /agents/?x=1', '404'],
    ['DELETE /models/v1/', '404'],
    ['PUT /console/', '405 GET, HEAD'],
    ['OPTIONS /nothing', '404'],
  ])('%s is refused: %s, whatever a neighbour with a parameter takes', async (route, answer) => {
    const [method = '', url = ''] = route.split(' ');
    expect(await ask(method, url)).toBe(answer);
  });

  test.each([
    ['GET /keys/7', 'GET /keys/:keyId'],
    ['POST /keys/validate', 'POST /keys/validate'],
    ['POST /agents/7/chat', 'POST /agents/:agentId/chat'],
    ['GET /agents/sessions', 'GET /agents/sessions'],
    ['GET /agents/sessions/7', 'GET /agents/sessions/:sessionId'],
    ['DELETE /agents/7', 'DELETE /agents/:agentId'],
    ['POST /models/v1/x', 'POST /models/v1/*'],
  ])('%s is served by %s', async (route, answer) => {
    const [method = '', url = ''] = route.split(' ');
    expect(await ask(method, url)).toBe(answer);
  });
});
