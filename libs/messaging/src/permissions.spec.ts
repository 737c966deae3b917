import { SERVICES, type ServiceName } from '@switchyard/contracts';
import { natsAuthorization, permissionsOf } from './permissions';

const users = Object.fromEntries(SERVICES.map((service) => [service, `U${service}`])) as Record<ServiceName, string>;

describe('the permissions of services at NATS', () => {
  it('keep nothing for each message: the server would look through all it keeps with each further one', () => {
    expect(natsAuthorization({ users })).not.toContain('allow_responses');
  });

  it('let only the fetching service hear the parts of a message, and only services that may send it messages send them', () => {
    for (const service of SERVICES) {
      const { publish, subscribe } = permissionsOf(service);
      expect(subscribe.filter((subject) => subject.startsWith('parts-for.'))).toEqual([`parts-for.${service}.>`]);
      for (const other of SERVICES)
        expect(publish.includes(`parts-for.${other}.>`)).toBe(publish.includes(`part.${other}.*`));
    }
  });
});
