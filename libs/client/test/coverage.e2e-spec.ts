import { SwitchyardClient } from '@switchyard/client';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

/** Not of the API, or not for programs: pages and their session, health, metadata. Relay, other protocols and MCP have clients of their own. */
const COVERED_BY_OTHERS =
  /^(GET \/(\.well-known|console|docs|health|openapi\.json)|\w+ \/console\/session|\w+ \/(models|openai|ag-ui|langgraph)\/|\w+ \/mcp)/;
/** They walk through pages or wait, with requests of other methods. */
const WALKS = ['constructor', 'data', 'all', 'allEnvelopes', 'allOfLedger', 'transcript', 'records', 'finished'];

/** Areas within an area, as endpoints are of events. */
const partsOf = (area: object): object[] =>
  Object.values(area).filter(
    (part: unknown): part is object =>
      typeof part === 'object' &&
      part !== null &&
      ![Object, Array].includes(part.constructor as never) &&
      part.constructor.name !== 'Http',
  );

/** Every method once; what it asks for is written down and refused. */
async function routesCalled(): Promise<string[]> {
  const request = new Set<string>();
  const client = new SwitchyardClient({
    baseUrl: platform.url,
    credential: 'none',
    attempts: 1,
    fetch: (url, init) => {
      request.add(`${init?.method ?? ''} ${new URL(url instanceof Request ? url.url : url).pathname}`);
      return Promise.resolve(Response.json({ code: 'NOT_FOUND' }, { status: 404 }));
    },
  });
  const top = Object.values(client as unknown as Record<string, object>);
  const areas = [...top, ...top.flatMap(partsOf)];
  for (const area of areas) {
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(area)).filter((name) => !WALKS.includes(name));
    for (const name of methods) {
      const method = (area as Record<string, unknown>)[name];
      if (area.constructor.name === 'Http' || typeof method !== 'function') continue;
      // An id for methods that take one, the address of a turn for those that take that.
      const first = { agentId: 'ID', turnId: 'ID', toString: () => 'ID' };
      for (const args of [
        ['ID', {}],
        [first, 'ID', {}, {}],
        [first, {}, {}, {}],
        [{}, {}, {}],
      ])
        await Promise.resolve()
          .then(() => (method as (...given: unknown[]) => unknown).apply(area, args))
          // A generator asks when its first value is wanted.
          .then((answer) => (answer as Partial<AsyncGenerator> | undefined)?.next?.())
          .catch(() => undefined);
    }
  }
  return [...request];
}

it('has a method for every endpoint, and none for what the OpenAPI document does not know', async () => {
  const document = (await platform.anonymous.raw('GET', '/openapi.json')).body as {
    paths: Record<string, Record<string, object>>;
  };
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const existing = all.filter((operation) => !COVERED_BY_OTHERS.test(operation));
  const requested = await routesCalled();
  const matcher = (operation: string): RegExp => new RegExp(`^${operation.replaceAll(/\{[^}]+\}/gu, '[^/]+')}$`, 'u');
  expect(existing.length).toBeGreaterThan(80);
  expect(existing.filter((operation) => !requested.some((request) => matcher(operation).test(request)))).toEqual([]);
  expect(requested.filter((request) => !all.some((operation) => matcher(operation).test(request)))).toEqual([]);
});
