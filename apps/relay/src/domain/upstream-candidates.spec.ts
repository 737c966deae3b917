import { candidatesFor, openAt } from './upstream-candidates';
import { parseCatalogue } from './parse-catalogue';

const upstream = (extra: object = {}): object => ({ baseUrl: 'http://x/v1', auth: 'none', ...extra });
const catalogue = parseCatalogue(
  {
    upstreams: { a: upstream({ fallbacks: ['c'] }), b: upstream({ paths: ['echo'] }), c: upstream() },
    models: [
      {
        id: 'm',
        contextWindow: 10,
        routes: [
          { upstream: 'a', weight: 3 },
          { upstream: 'b', weight: 1, upstreamModel: 'b-m' },
          { upstream: 'c', weight: 0 },
        ],
        fallbacks: ['n'],
      },
      { id: 'n', contextWindow: 10, upstream: 'b' },
      { id: 'o', contextWindow: 10, upstream: 'c' },
    ],
  },
  () => undefined,
);
const names = (list: ReturnType<typeof candidatesFor>): string[] =>
  list.map(({ upstream: { name }, upstreamModel }) => `${name}/${upstreamModel}`);

describe('candidates', () => {
  it('come by weight, then the spare routes, the fallback upstreams and the fallback models', () => {
    expect(names(candidatesFor(catalogue, 'm', [], () => 0))).toEqual(['a/m', 'b/b-m', 'c/m', 'b/n']);
    expect(names(candidatesFor(catalogue, 'm', [], () => 0.99))).toEqual(['b/b-m', 'a/m', 'c/m', 'b/n']);
  });

  it('leave out upstreams that do not open the path, and are 404 where none does', () => {
    const all = candidatesFor(catalogue, 'm', [], () => 0);
    expect(names(openAt(all, 'responses'))).toEqual(['a/m', 'c/m']);
    expect(names(openAt(all, 'echo'))).toEqual(['b/b-m', 'b/n']);
    expect(() => openAt(all, 'messages')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it('are drawn in the proportion of the weights', () => {
    let at = 0;
    const random = (): number => (at = (at + 0.001) % 1);
    const firsts = Array.from({ length: 1000 }, () => names(candidatesFor(catalogue, 'm', [], random))[0]);
    expect(firsts.filter((name) => name === 'a/m').length / 1000).toBeCloseTo(0.75, 1);
  });

  it("put the caller's fallbacks before the catalogue's", () => {
    expect(names(candidatesFor(catalogue, 'n', ['o']))).toEqual(['b/n', 'c/o']);
  });

  it('refuse unknown models', () => {
    expect(() => candidatesFor(catalogue, 'x')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    expect(() => candidatesFor(catalogue, 'x', ['y'])).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it('leave out models that are not in the catalogue while another one is', () => {
    expect(names(candidatesFor(catalogue, 'n', ['x', 'o']))).toEqual(['b/n', 'c/o']);
    expect(names(candidatesFor(catalogue, 'n', ['x']))).toEqual(['b/n']);
    expect(names(candidatesFor(catalogue, 'x', ['m'], () => 0))).toEqual(['a/m', 'b/b-m', 'c/m', 'b/n']);
  });
});
