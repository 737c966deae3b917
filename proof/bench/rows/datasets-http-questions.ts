const COLUMNS = 'id, created_at, updated_at, title, body, category, price, quantity, at';

/** A question to the same records: over HTTP, where ours and the bare server get the same body, and in SQL by hand. */
export interface RecordsQuestion {
  what: string;
  /** Fewer where an answer takes milliseconds. */
  warmUp?: number;
  turns?: number;
  verb: 'query' | 'count' | 'full-text-search';
  body: (turn: number) => object;
  sql: string;
  values: (turn: number) => unknown[];
}

const textSql = `select ${COLUMNS}, ts_rank(words, q) as rank from by_hand, websearch_to_tsquery('english', $1) q
  where words @@ q order by rank desc, id desc limit 51`;

export const recordsQuestions = (rows: number): readonly RecordsQuestion[] => [
  {
    what: 'equality, page of 50',
    verb: 'query',
    body: (t) => ({ filter: { category: `category-${t % 50}` }, sort: [{ field: 'category' }] }),
    sql: `select ${COLUMNS} from by_hand where category = $1 order by category, id limit 51`,
    values: (t) => [`category-${t % 50}`],
  },
  {
    what: 'newest 50',
    verb: 'query',
    body: () => ({}),
    sql: `select ${COLUMNS} from by_hand order by id desc limit 51`,
    values: () => [],
  },
  {
    what: 'exact count of a quarter',
    warmUp: 1_000,
    verb: 'count',
    body: () => ({ filter: { quantity: { lt: 250 } } }),
    sql: 'select count(*) from by_hand where quantity < $1',
    values: () => [250],
  },
  {
    what: 'full text, rare word, ranked',
    verb: 'full-text-search',
    body: (t) => ({ query: `serial${(t * 37) % rows}` }),
    sql: textSql,
    values: (t) => [`serial${(t * 37) % rows}`],
  },
  {
    what: 'page of 1,000 in the order of a number',
    warmUp: 500,
    turns: 60,
    verb: 'query',
    body: (t) => ({ filter: { price: { gte: t % 900 } }, sort: [{ field: 'price' }], limit: 1000 }),
    sql: `select ${COLUMNS} from by_hand where price >= $1 order by price, id limit 1001`,
    values: (t) => [t % 900],
  },
  {
    what: 'full text, common word, ranked',
    warmUp: 100,
    turns: 40,
    verb: 'full-text-search',
    body: () => ({ query: 'common' }),
    sql: textSql,
    values: () => ['common'],
  },
];
