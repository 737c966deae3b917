import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { TaskEvents } from '@switchyard/contracts';
import { projectRoot } from '../launcher/project-root';
import { eventFaults, namedEvents } from './announced-events';

const sourcesOf = (service: string): string =>
  readdirSync(path.join(projectRoot, 'apps', service, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(path.join(projectRoot, 'apps', service, 'src', file), 'utf8'))
    .join('\n');

describe('an event between services', () => {
  it('is announced by its source, and its name begins with it', () => {
    const events = namedEvents();
    expect(events.length).toBeGreaterThan(4);
    expect(eventFaults(events, sourcesOf)).toEqual([]);
  });

  it('is a fault if nothing announces it, or another service is its source', () => {
    const event = { ...TaskEvents.removed, source: 'job' as const };
    expect(
      eventFaults([{ name: 'TaskEvents.removed', event }], () => 'tx.announce(TaskEvents.removedAll, ctx)'),
    ).toEqual([
      'TaskEvents.removed: its name task.removed must begin with its source job',
      'TaskEvents.removed: job never announces it, so its consumers wait for nothing',
    ]);
  });
});
