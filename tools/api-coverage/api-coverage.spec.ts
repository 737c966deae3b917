import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';
import { merged, readDocument, readUnproven, rowsFrom, unproven, writeDocument } from './coverage-document';
import { documentedRoutes, routeOf } from './routes';
import { isComposedOf, titlePatterns } from './test-titles';

const routes = documentedRoutes();
const document = path.join(projectRoot, 'tools/api-coverage/api-coverage.md');
const text = existsSync(document) ? readFileSync(document, 'utf8') : '';
const rows = readDocument(text);

describe('tools/api-coverage/api-coverage.md', () => {
  it('has a row, or a place in its list of debts, for every route and each status of its own', () => {
    const listed = new Set(readUnproven(text));
    expect(unproven(rows, routes).filter((path) => !listed.has(path))).toEqual([]);
  });

  it('lists no success among what is not seen by a test', () => {
    expect(readUnproven(text).filter((path) => / 2\d\d$/.test(path))).toEqual([]);
  });

  it('names routes that there are', () => {
    const names = new Set(routes.map(({ name }) => name));
    expect(rows.filter(({ route }) => !names.has(route))).toEqual([]);
  });

  it('names tests that there are', () => {
    const titles = new Map<string, RegExp[]>();
    const titlesOf = (file: string): RegExp[] => {
      const absolute = path.join(projectRoot, file);
      const existing = titles.get(file) ?? (existsSync(absolute) ? titlePatterns(readFileSync(absolute, 'utf8')) : []);
      titles.set(file, existing);
      return existing;
    };
    expect(rows.filter(({ file, test }) => !isComposedOf(test, titlesOf(file)))).toEqual([]);
  });
});

describe('the maker of api-coverage.md', () => {
  const agent = { name: 'GET /api/agents/{agentId}', method: 'GET', path: '/api/agents/{agentId}', statuses: [200] };
  const status = { name: 'GET /api/agents/status', method: 'GET', path: '/api/agents/status', statuses: [200] };

  it('finds the route of a path, also behind a version', () => {
    expect(routeOf([agent, status], 'GET', '/v2/api/agents/7')).toBe(agent);
    expect(routeOf([agent, status], 'GET', '/api/v1/agents/status')).toBe(status);
    expect(routeOf([agent, status], 'POST', '/api/agents/7')).toBeUndefined();
  });

  it('names the test that did the least else, and reads back what it wrote', () => {
    const call = { method: 'GET', path: '/api/agents/7', status: 200, file: '/p/a.ts' };
    const calls = [
      { ...call, test: 'does much' },
      { ...call, path: '/api/agents/status', test: 'does much' },
      { ...call, test: 'reads a | b' },
    ];
    const made = rowsFrom(calls, [agent, status], '/p');
    expect(made[0]).toEqual({ route: agent.name, status: 200, file: 'a.ts', test: 'reads a | b' });
    expect(readDocument(writeDocument(made))).toEqual(made);
  });

  it('puts the rows of a run of some files into the earlier ones', () => {
    const row = (status: number, file: string, test: string) => ({ route: agent.name, status, file, test });
    const earlier = [row(200, 'a.ts', 'old'), row(404, 'b.ts', 'stays'), row(409, 'a.ts', 'no longer sees it')];
    const seen = [row(200, 'a.ts', 'new'), row(404, 'a.ts', 'also sees it'), row(400, 'a.ts', 'first')];
    expect(merged(earlier, seen, new Set(['a.ts']), [agent])).toEqual([
      row(200, 'a.ts', 'new'),
      row(400, 'a.ts', 'first'),
      row(404, 'b.ts', 'stays'),
    ]);
    expect(merged([{ ...row(200, 'b.ts', 'x'), route: 'GET /gone' }], [], new Set(), [agent])).toEqual([]);
  });

  it('knows a test that is gone from one that is there', () => {
    const patterns = titlePatterns(
      `describe('agents', () => { it.each(['a', 'b'])('reads %s twice', () => {}); test(\`says \${x}\`, f); });`,
    );
    expect(isComposedOf('agents reads a twice', patterns)).toBe(true);
    expect(isComposedOf('agents says hello', patterns)).toBe(true);
    expect(isComposedOf('agents reads a once', patterns)).toBe(false);
    expect(isComposedOf('reads', patterns)).toBe(false);
  });
});
