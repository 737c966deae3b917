// Records behind Fastify, as a developer would serve them without a platform: the key, the fields and limits of the
// request, the tenant in each statement, and SQL by hand. It has no roles, versions, rate limits or other services.
import { createHash } from 'node:crypto';
import fastify, { type FastifyRequest } from 'fastify';
import { Pool } from 'pg';

const { DATABASE_URL: connectionString, KEY_HASH = '', TENANT = '' } = process.env;
const pool = new Pool({ connectionString, max: 8 });
const tenants = new Map([[KEY_HASH, TENANT]]);
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const FIELDS = ['title', 'body', 'category', 'price', 'quantity', 'at'] as const;
const COLUMNS = ['id', 'created_at', 'updated_at', ...FIELDS].join(', ');
const COMPARISONS: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

type Filter = Record<string, string | number | Record<string, string | number>>;
interface Query {
  filter?: Filter;
  sort?: { field: string; direction?: 'asc' | 'desc' }[];
  limit?: number;
}
interface TextQuery {
  query: string;
  limit?: number;
}

const value = { anyOf: [{ type: 'string', maxLength: 8192 }, { type: 'number' }] };
const comparison = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: Object.fromEntries(Object.keys(COMPARISONS).map((name) => [name, value])),
};
const filter = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(FIELDS.map((name) => [name, { anyOf: [...value.anyOf, comparison] }])),
};
const limit = { type: 'integer', minimum: 1, maximum: 1000, default: 50 };
const sortKey = {
  type: 'object',
  required: ['field'],
  additionalProperties: false,
  properties: { field: { enum: FIELDS }, direction: { enum: ['asc', 'desc'] } },
};
const bodyOf = (properties: object, required: string[] = []): object => ({
  schema: { body: { type: 'object', additionalProperties: false, properties, required } },
});

/** The condition of a request, the tenant's before all; the values are parameters. */
function conditionOf(tenant: string, compared: Filter = {}): { where: string; values: unknown[] } {
  const values: unknown[] = [tenant];
  const conditions = ['tenant = $1'];
  for (const [field, bounds] of Object.entries(compared)) {
    const parts = typeof bounds === 'object' ? Object.entries(bounds) : ([['=', bounds]] as const);
    for (const [name, bound] of parts) {
      values.push(bound);
      conditions.push(`${field} ${COMPARISONS[name] ?? '='} $${values.length}`);
    }
  }
  return { where: conditions.join(' and '), values };
}

const page = (rows: { id: string }[], size: number): object => {
  const data = rows.slice(0, size);
  return { success: true, data, page: { limit: size, nextCursor: rows.length > size ? data.at(-1)?.id : null } };
};

// As strict as ours: an unknown field is an error, and a text is no number.
const app = fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });
app.decorateRequest('tenant', '');
const tenantOf = (request: FastifyRequest): string => request.getDecorator('tenant');

app.addHook('onRequest', async (request, reply) => {
  const tenant = tenants.get(hashOf(request.headers.authorization?.replace(/^Bearer /, '') ?? ''));
  if (tenant === undefined) return reply.code(401).send({ success: false, message: 'This API key is not known.' });
  request.setDecorator('tenant', tenant);
  return undefined;
});

app.post<{ Body: Query }>(
  '/records/query',
  bodyOf({ filter, sort: { type: 'array', maxItems: 5, items: sortKey }, limit }),
  async (request) => {
    const { filter: compared, sort = [], limit: size = 50 } = request.body;
    const { where, values } = conditionOf(tenantOf(request), compared);
    const order = sort.map(({ field, direction = 'asc' }) => `${field} ${direction}`);
    const { rows } = await pool.query<{ id: string }>(
      `select ${COLUMNS} from by_tenant where ${where} order by ${[...order, order.length === 0 ? 'id desc' : 'id'].join(', ')} limit ${size + 1}`,
      values,
    );
    return page(rows, size);
  },
);

app.post<{ Body: Query }>('/records/count', bodyOf({ filter }), async (request) => {
  const { where, values } = conditionOf(tenantOf(request), request.body.filter);
  const { rows } = await pool.query<{ count: string }>(`select count(*) from by_tenant where ${where}`, values);
  return { success: true, data: { count: Number(rows[0]?.count) } };
});

app.post<{ Body: TextQuery }>(
  '/records/full-text-search',
  bodyOf({ query: { type: 'string', minLength: 1, maxLength: 8192 }, limit }, ['query']),
  async (request) => {
    const { query, limit: size = 50 } = request.body;
    const { rows } = await pool.query<{ id: string }>(
      `select ${COLUMNS}, ts_rank(words, q) as rank from by_tenant, websearch_to_tsquery('english', $2) q
       where tenant = $1 and words @@ q order by rank desc, id desc limit ${size + 1}`,
      [tenantOf(request), query],
    );
    return page(rows, size);
  },
);

void app.listen({ port: 0, host: '127.0.0.1' }).then((url) => process.send?.(url));
