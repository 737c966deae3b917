import { CatalogueError, parseCatalogue } from './parse-catalogue';

const environment = (name: string): string | undefined =>
  ({ OPENAI_API_KEY: 'sk-test', SIMULATOR_URL: 'http://127.0.0.1:4010/v1' })[name];
const upstream = { baseUrl: 'https://api.example.com/v1/', apiKeyEnv: 'OPENAI_API_KEY' };
const model = { id: 'm', upstream: 'a', contextWindow: 1000 };

const problemsOf = (value: unknown): readonly string[] => {
  try {
    parseCatalogue(value, environment);
  } catch (error) {
    return (error as CatalogueError).problems;
  }
  return [];
};

describe('the catalogue', () => {
  it('is read with defaults, and the base URL without its last slash', () => {
    const catalogue = parseCatalogue({ upstreams: { a: upstream }, models: [model] }, environment);
    expect(catalogue.upstreams.get('a')).toMatchObject({
      baseUrl: 'https://api.example.com/v1',
      auth: 'bearer',
      retries: 2,
      streamUsage: true,
    });
    expect(catalogue.models.get('m')).toMatchObject({
      routes: [{ upstream: 'a', upstreamModel: 'm', weight: 1 }],
      maxOutputTokens: 1000,
      inputPrice: 0,
    });
    expect(catalogue).toMatchObject({
      defaultChat: 'm',
      defaultEmbedding: null,
      defaultUpstream: 'a',
    });
  });

  it('has the paths that an upstream opens, and refuses what is no path in lower case', () => {
    const paths = ['chat/completions', 'videos/*'];
    const catalogue = parseCatalogue({ upstreams: { a: { ...upstream, paths } }, models: [model] }, environment);
    expect(catalogue.upstreams.get('a')?.paths).toEqual(paths);
    for (const path of ['Files', 'a/*/b', '*', 'a.b', '/a', 'a/', 'a%20b', ''])
      expect(problemsOf({ upstreams: { a: { ...upstream, paths: [path] } }, models: [model] })).toEqual([
        expect.stringMatching(/^upstreams\.a\.paths: /),
      ]);
  });

  it('takes addresses from the environment by name', () => {
    const catalogue = parseCatalogue(
      { upstreams: { a: { baseUrl: '${SIMULATOR_URL}', auth: 'none' } }, models: [model] },
      environment,
    );
    expect(catalogue.upstreams.get('a')?.baseUrl).toBe('http://127.0.0.1:4010/v1');
  });

  it('lists every problem of a wrong file', () => {
    const problems = problemsOf({
      upstreams: {
        a: { baseUrl: 'ftp://x', apiKeyEnv: 'sk-live-1234', retires: 1, timeouts: { connectMs: 'soon' } },
        b: { baseUrl: 'https://user:secret@host/v1', apiKeyEnv: 'MISSING_KEY', fallbacks: ['z'] },
      },
      models: [
        { id: 'm', upstream: 'nowhere', contextWindow: -1, inputPrice: -2, capabilities: ['telepathy'] },
        { id: 'm', routes: [{ upstream: 'a', weight: 0 }], contextWindow: 10, fallbacks: ['gone'] },
        { id: 'e', upstream: 'a', contextWindow: 10, capabilities: ['embeddings'] },
      ],
      defaults: { chat: 'absent' },
      extra: true,
    });
    for (const part of [
      'upstreams.a.baseUrl: must begin with http',
      'upstreams.a.apiKeyEnv: must be the name of an environment variable',
      'upstreams.a.retires: is not a known field',
      'upstreams.a.timeouts.connectMs: must be a whole number',
      'upstreams.b.baseUrl: must not hold a user or a password',
      'upstreams.b.apiKeyEnv: names MISSING_KEY, which is not set',
      'upstreams.b.fallbacks: there is no upstream z',
      'models.m.contextWindow',
      'models.m.inputPrice',
      'models.m.capabilities: knows no telepathy',
      'models: m is there twice',
      'models.m.routes: every weight is 0',
      'models.m.fallbacks: there is no model gone',
      'models.e.embeddingDimensions: is required',
      'defaults.chat: there is no model absent',
      'extra: is not a known field',
    ]) {
      expect(problems.some((problem) => problem.includes(part)) ? '' : part).toBe('');
    }
  });

  it('never repeats a key that somebody wrote in the place of its name', () => {
    expect(
      problemsOf({ upstreams: { a: { baseUrl: 'https://x/v1', apiKeyEnv: 'sk-live-1234' } }, models: [model] }).join(),
    ).not.toContain('sk-live');
  });

  it.each([null, [], 'text', {}])('refuses %j', (value) => {
    expect(problemsOf(value).length).toBeGreaterThan(0);
  });
});
