import { type Client, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

type Hit = { record: Record<string, unknown>; rank: number; highlight?: Record<string, string> };

const fields = [
  { name: 'title', type: 'string', fullText: true },
  { name: 'body', type: 'text', fullText: true },
  { name: 'tags', type: 'string[]', fullText: true },
  { name: 'year', type: 'integer', indexed: true },
  { name: 'note', type: 'string' },
];

const records = [
  { title: 'Railway signals', body: 'How trains are kept apart on one track.', year: 1999 },
  {
    title: 'Switching yards',
    body: 'Where a train is sorted; signals and points.',
    tags: ['freight', 'gravity hill'],
    year: 2005,
  },
  { title: 'Bread', body: 'Flour, water & <salt>. No trains, no signal boxes.', year: 2005 },
  { title: '東京の地下鉄', body: '東京都の地下鉄は便利です。', year: 2010, note: 'railway' },
  { title: 'รถไฟ', body: 'รถไฟฟ้าในกรุงเทพ', year: 2011 },
];

describe('full-text search', () => {
  let owner: Client;
  let data: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    const created = await owner.post('/datasets', { name: 'Library', schema: { fields } });
    data = `/datasets/${created.body.data.id}/data`;
    expect((await owner.post(`${data}/insert`, { records })).status).toBe(200);
  });

  const search = async (body: object): Promise<Hit[]> => {
    const reply = await owner.post(`${data}/full-text-search`, body);
    expect([reply.status, reply.body.message]).toEqual([200, 'Records by rank.']);
    return reply.body.data;
  };
  const titles = async (body: object): Promise<unknown[]> => (await search(body)).map((hit) => hit.record.title);

  it.each<[string, string[]]>([
    ['signal', ['Railway signals', 'Switching yards', 'Bread']],
    ['SIGNALS', ['Railway signals', 'Switching yards', 'Bread']],
    ['train sorted', ['Switching yards']],
    ['"one track"', ['Railway signals']],
    ['"track one"', []],
    ['signal -bread', ['Railway signals', 'Switching yards']],
    ['flour or points', ['Switching yards', 'Bread']],
    ['freight', ['Switching yards']],
    ['railway', ['Railway signals']],
    ['東京都', ['東京の地下鉄']],
    ['地下鉄', ['東京の地下鉄']],
    ['京', ['東京の地下鉄']],
    ['京都府', []],
    ['signal -東京', ['Railway signals', 'Switching yards', 'Bread']],
    ['กรุงเทพ', ['รถไฟ']],
  ])('finds %s', async (query, expected) => {
    expect((await titles({ query })).sort()).toEqual([...expected].sort());
  });

  it('puts a word of the title before one of the text', async () => {
    const hits = await search({ query: 'signals' });
    expect(hits[0]!.record.title).toBe('Railway signals');
    expect(hits.map((hit) => hit.rank)).toEqual(hits.map((hit) => hit.rank).sort((a, b) => b - a));
  });

  it('ranks by the order in which fields were created, also after a PATCH lists them otherwise', async () => {
    const two = fields.slice(0, 2);
    const made = await owner.post('/datasets', { name: 'Weighed', schema: { fields: two } });
    const path = `/datasets/${made.body.data.id}`;
    const write = async (record: object): Promise<void> =>
      expect((await owner.post(`${path}/data/insert`, { records: [record] })).status).toBe(200);
    const rankOf = async (query: string): Promise<number[]> => {
      const { data: hits } = (await owner.post(`${path}/data/full-text-search`, { query })).body;
      return (hits as Hit[]).map(({ rank }) => rank);
    };
    await write({ title: 'Wombat', body: 'of before' });
    const added = { name: 'lead', type: 'string', fullText: true };
    const changed = await owner.patch(path, { schema: { fields: [added, ...two.toReversed()] } });
    expect(changed.body.data.schema.fields.map(({ name }: { name: string }) => name)).toEqual([
      'lead',
      'body',
      'title',
    ]);
    await write({ title: 'Wombat', body: 'of after' });
    await write({ lead: 'Bandicoot', title: 'Numbat' });
    const [first, second] = await rankOf('wombat');
    expect(second).toBe(first);
    expect((await rankOf('bandicoot'))[0]).toBeLessThan((await rankOf('numbat'))[0] ?? 0);
  });

  it.each([
    'foo & | bar \'"unbalanced ( :*',
    '"',
    '-',
    '--',
    'the and of',
    '!!!',
    '<->',
    'or',
    '\\',
    "'; drop table datasets; --",
    '%',
    ':*',
    ' ',
    '-'.repeat(33),
    `Total\n${'-'.repeat(32)}\npasta`,
    '- '.repeat(60),
    '-('.repeat(60),
    '-<'.repeat(60),
  ])('never fails: %s', async (query) => {
    await search({ query, highlight: true });
  });

  it('never fails with any punctuation', async () => {
    const pieces = ['-', '-', '-', ' ', '(', ')', '!', '|', '&', '<', '>', '"', ':', '*', '\\', "'", '\n', 'a', ' or '];
    await Promise.all(
      Array.from({ length: 60 }, (_, seed) => {
        let state = seed + 1;
        const next = (): number => (state = (state * 48_271) % 2_147_483_647);
        const few = pieces.filter(() => next() % 3 === 0).concat('-');
        return search({ query: Array.from({ length: 300 }, () => few[next() % few.length]).join('') });
      }),
    );
  });

  it('finds what stands in angle brackets, and shows it', async () => {
    const written = [
      { title: 'Generics', body: 'A List<Walrus> is not a List<Object>.' },
      { title: 'Prices', body: 'price <cheapest> lasagne' },
      { title: 'Markup', body: 'a <b>boldest</b> word here' },
    ];
    await owner.post(`${data}/insert`, { records: written });
    for (const [query, title, shown] of [
      ['walrus', 'Generics', 'List&lt;<mark>Walrus</mark>&gt;'],
      ['List<Walrus>', 'Generics', '<mark>List</mark>&lt;<mark>Walrus</mark>&gt;'],
      ['<cheapest>', 'Prices', 'price &lt;<mark>cheapest</mark>&gt; lasagne'],
      ['boldest', 'Markup', '<mark>boldest</mark>&lt;/b&gt; word here'],
    ]) {
      const hits = await search({ query, highlight: true });
      expect(hits.map((hit) => hit.record.title)).toEqual([title]);
      expect(hits[0]!.highlight!.body).toContain(shown);
      expect(await titles({ query, fields: ['body'] })).toEqual([title]);
    }
  });

  it('looks only in the fields that were named', async () => {
    expect(await titles({ query: 'signals', fields: ['title'] })).toEqual(['Railway signals']);
    expect((await titles({ query: 'signals -trains', fields: ['title', 'body'] })).sort()).toEqual([]);
    expect(await titles({ query: 'yards -signals', fields: ['title'] })).toEqual(['Switching yards']);
    for (const name of ['note', 'nope', 'Title']) {
      const reply = await owner.post(`${data}/full-text-search`, { query: 'x', fields: [name] });
      expect([reply.status, reply.body.details[0].path]).toEqual([400, 'fields[0]']);
    }
  });

  it('filters', async () => {
    expect((await titles({ query: 'signal', filter: { year: 2005 } })).sort()).toEqual(['Bread', 'Switching yards']);
    expect((await owner.post(`${data}/full-text-search`, { query: 'x', filter: { nope: 1 } })).status).toBe(400);
  });

  it('marks the words and escapes the rest', async () => {
    const [hit] = await search({ query: 'flour', highlight: true });
    expect(hit!.highlight!.body).toContain('<mark>Flour</mark>');
    expect(hit!.highlight!.body).toContain('water &amp;');
    expect(hit!.highlight!.body).not.toContain('<salt>');
    expect(hit!.highlight!.title).toBeUndefined();
    const [japanese] = await search({ query: '地下鉄', highlight: true });
    expect(japanese!.highlight!.title).toBe('東京の<mark>地下鉄</mark>');
    expect((await search({ query: 'flour' }))[0]!.highlight).toBeUndefined();
  });

  it('takes no character of a text for a mark', async () => {
    const [id] = (
      await owner.post(`${data}/insert`, {
        records: [{ title: 'a\uE001b <i> \u0002tram\u0003 \uE000 路面電車\uE001' }],
      })
    ).body.data.ids;
    const [english] = await search({ query: 'tram', highlight: true });
    expect(english!.highlight!.title).toMatch(/^[^<>\uE000\uE001]*<mark>tram<\/mark>[^<>\uE000\uE001;]*$/);
    const [japanese] = await search({ query: '電車', highlight: true });
    expect(japanese!.highlight!.title).toMatch(/^[^<>]*<mark>電車<\/mark> $/);
    await owner.post(`${data}/delete`, { ids: [id] });
  });

  it('pages through all hits once, by rank', async () => {
    const more = Array.from({ length: 25 }, (_, i) => ({
      title: `Lantern ${'lantern '.repeat(i % 4)}`,
      body: `number ${i}`,
    }));
    await owner.post(`${data}/insert`, { records: more });
    const seen: Hit[] = [];
    let cursor: string | null = null;
    do {
      const reply = await owner.post(`${data}/full-text-search`, {
        query: 'lantern',
        limit: 4,
        ...(cursor === null ? {} : { cursor }),
      });
      expect(reply.status).toBe(200);
      seen.push(...(reply.body.data as Hit[]));
      cursor = reply.body.page.nextCursor;
    } while (cursor !== null);
    expect(new Set(seen.map((hit) => hit.record.id)).size).toBe(25);
    expect(seen).toHaveLength(25);
    expect(seen.map((hit) => hit.rank)).toEqual(seen.map((hit) => hit.rank).sort((a, b) => b - a));
  });

  describe('of long texts', () => {
    const long = [
      [
        '100,000 ideographs',
        Array.from({ length: 100_000 }, (_, n) => String.fromCharCode(0x4e00 + ((n * 7919) % 20_000))),
      ],
      [
        'a record full of ideographs',
        Array.from({ length: 200_000 }, (_, n) => String.fromCharCode(0x4e00 + ((n * n) % 20_011))),
      ],
      [
        'words that are all different',
        Array.from({ length: 25_000 }, (_, n) => ` ${(n * 104_729).toString(36)}-${n.toString(36)}`),
      ],
    ] as const;

    it.each(long)('takes %s in several fields, and finds where they begin', async (_name, parts) => {
      const text = `zeppelin ${parts.join('')}`;
      const made = await owner.post('/datasets', { name: 'Long', schema: { fields } });
      const path = `/datasets/${made.body.data.id}/data`;
      const record = { title: 'Airships', body: text, tags: [text.slice(0, 30_000)] };
      const inserted = await owner.post(`${path}/insert`, { records: [record] });
      expect([inserted.status, inserted.body.message]).toEqual([200, 'Records inserted.']);
      const [id] = inserted.body.data.ids;
      for (const more of [{}, { fields: ['body'] }, { fields: ['tags', 'body'], highlight: true }]) {
        const found = await owner.post(`${path}/full-text-search`, { query: 'zeppelin', ...more });
        expect([found.status, found.body.data?.[0]?.record.id]).toEqual([200, id]);
      }
      const updated = await owner.post(`${path}/update`, { ids: [id], set: { title: text.slice(0, 90_000) } });
      expect([updated.status, updated.body.data]).toEqual([200, { updated: 1 }]);
    });
  });

  it('follows updates and deletes', async () => {
    const { ids } = (await owner.post(`${data}/insert`, { records: [{ title: 'Quokka' }] })).body.data;
    expect(await titles({ query: 'quokka' })).toEqual(['Quokka']);
    await owner.post(`${data}/update`, { ids, set: { title: 'Numbat', body: 'formerly another' } });
    expect(await titles({ query: 'quokka' })).toEqual([]);
    expect(await titles({ query: 'numbat formerly' })).toEqual(['Numbat']);
    await owner.post(`${data}/delete`, { ids });
    expect(await titles({ query: 'numbat' })).toEqual([]);
  });

  it('refuses a dataset without full-text fields, an empty query and one that is too long', async () => {
    const plain = await owner.post('/datasets', { name: 'Plain', schema: { fields: [{ name: 'a', type: 'string' }] } });
    expect((await owner.post(`/datasets/${plain.body.data.id}/data/full-text-search`, { query: 'a' })).status).toBe(
      400,
    );
    expect((await owner.post(`${data}/full-text-search`, { query: '' })).status).toBe(400);
    expect((await owner.post(`${data}/full-text-search`, { query: 'x'.repeat(10_000) })).status).toBe(400);
    expect((await owner.post(`${data}/full-text-search`, {})).status).toBe(400);
  });

  it('reads words as the language of the dataset has them', async () => {
    const created = await owner.post('/datasets', {
      name: 'Deutsch',
      schema: { fields: fields.slice(0, 1), language: 'german' },
    });
    expect(created.body.data.schema.language).toBe('german');
    const path = `/datasets/${created.body.data.id}/data`;
    await owner.post(`${path}/insert`, { records: [{ title: 'Die Häuser am See' }] });
    expect((await owner.post(`${path}/full-text-search`, { query: 'haus' })).body.data).toHaveLength(1);
  });
});
