import { table } from './call-route';
import { parseRouteCommand, routeUsages } from './route-commands';

const id = '0198c000-0000-7000-8000-000000000000';
const requestOf = (line: string) => parseRouteCommand(line.split(' ')).request;

describe('the operator command', () => {
  it.each([
    ['spaces', 'GET', '/operator/spaces', {}],
    ['spaces list --q acme --sort bytes', 'GET', '/operator/spaces', { q: 'acme', sort: 'bytes' }],
    ['top --by runs --minutes 10', 'GET', '/operator/top', { by: 'runs', minutes: '10' }],
    ['events --actor machine', 'GET', '/operator/events', { actor: 'machine' }],
    ['keys list', 'GET', '/operator/keys', {}],
    ['poisoned --kind turn', 'GET', '/operator/poisoned', { kind: 'turn' }],
  ])('asks for what %s names', (line, method, path, query) => {
    expect(requestOf(line)).toEqual({ method, path, query });
  });

  it.each([
    [`credits ${id} 1000 --note paid`, `/operator/spaces/${id}/credits`, { tokens: 1000, note: 'paid' }],
    [`credits ${id} -5`, `/operator/spaces/${id}/credits`, { tokens: -5 }],
    [`spaces suspend ${id} --reason unpaid`, `/operator/spaces/${id}/suspend`, { reason: 'unpaid' }],
    ['dead-letters discard a/b --reason old', '/operator/dead-letters/a%2Fb/discard', { reason: 'old' }],
    [`keys revoke ${id}`, `/operator/keys/${id}/revoke`, {}],
  ])('sends what %s names', (line, path, body) => {
    expect(requestOf(line)).toEqual({ method: 'POST', path, query: {}, body });
  });

  it('gives JSON where it is asked for', () => {
    expect(parseRouteCommand(['top', '--json']).isJson).toBe(true);
    expect(parseRouteCommand(['top']).isJson).toBe(false);
  });

  it.each(['', 'space', 'spaces burn', 'spaces --nope 1', 'credits', `credits ${id} many`, 'top --by'])(
    'refuses %j',
    (line) => {
      expect(() => parseRouteCommand(line.split(' ').filter(Boolean))).toThrow();
    },
  );

  it('lists what it knows where it does not know a command', () => {
    expect(() => parseRouteCommand(['everything'])).toThrow(`No command everything. There are:\n  ${routeUsages[0]}`);
  });

  it('shows lists as columns', () => {
    const rows = [
      { id: 'a', name: 'Acme', scopes: ['x', 'y'] },
      { id: 'bbb', name: null },
    ];
    expect(table(rows, ['id', 'name', 'scopes'])).toBe('id   name  scopes\na    Acme  x,y\nbbb  -     -');
  });
});
