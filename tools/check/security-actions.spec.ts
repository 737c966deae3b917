import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../launcher/project-root';

const read = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');
const quoted = (text: string): string[] =>
  [...text.matchAll(/'([a-z-]+(?:\.[a-z-]+)+)'/gu)].map(([, name = '']) => name);
const between = (text: string, start: string, end: string): string => text.split(start)[1]?.split(end)[0] ?? '';

/** Actions that services record in a Space: those of the key service, and those that others send it. */
function recorded(): string[] {
  const ofKeys = quoted(between(read('apps/key/src/audit/security-log.ts'), 'type SpaceAction =', ';'));
  const ofOthers = ['agent', 'event-bus', 'session'].flatMap((service) =>
    readdirSync(join(projectRoot, 'apps', service, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => read(join('apps', service, 'src', file)))
      .flatMap((text) => text.match(/(?:\bnote\(ctx|\bnote\(actAs.*,|\baction:) ?,? ?'[a-z.-]+'/gu) ?? [])
      .flatMap(quoted),
  );
  return [...new Set([...ofKeys, ...ofOthers])];
}

test('the filter of the security events in the console offers each action that is recorded in a Space', () => {
  const actions = recorded();
  expect(actions).toEqual(
    expect.arrayContaining(['key.created', 'endpoint.disabled', 'agent.deleted', 'approval.answered']),
  );
  const offered = quoted(between(read('apps/console/src/api/security-words.ts'), 'SPACE_ACTIONS', '];'));
  expect(actions.filter((action) => !offered.includes(action))).toEqual([]);
});
