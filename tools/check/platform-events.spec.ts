import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PLATFORM_EVENTS, PLATFORM_EVENT_SOURCES, type PlatformEvent } from '@switchyard/contracts';
import { projectRoot } from '../launcher/project-root';

const triggerOf = (service: string): string => {
  const file = path.join(projectRoot, 'apps', service, 'src/db/platform-event-trigger.ts');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** Events of the table that their source does not raise, and events that are raised and have no source. */
function platformEventFaults(
  events: Readonly<Record<string, PlatformEvent>>,
  textOf: (service: string) => string,
): string[] {
  const services = Object.keys(PLATFORM_EVENT_SOURCES);
  return Object.entries(events).flatMap(([name, { source }]) => {
    const raising = services.filter((service) => textOf(service).includes(`'${name}'`));
    if (source === null)
      return raising.map((service) => `${name}: ${service} raises it, and the table names no source`);
    return raising.includes(source) ? [] : [`${name}: no code of ${source} raises it`];
  });
}

describe('an event of the platform', () => {
  it('is raised by the service that the table names', () => {
    expect(platformEventFaults(PLATFORM_EVENTS, triggerOf)).toEqual([]);
  });

  it('is a fault if no code raises it, or the table does not name the service', () => {
    const event = { description: '', audience: 'MEMBERS', idField: 'jobId' } as const;
    const events = { 'job.lost': { ...event, source: 'job' }, 'job.failed': { ...event, source: null } } as const;
    expect(platformEventFaults(events, triggerOf)).toEqual([
      'job.lost: no code of job raises it',
      'job.failed: job raises it, and the table names no source',
    ]);
  });
});
