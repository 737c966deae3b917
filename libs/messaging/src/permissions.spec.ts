import { SERVICES, type ServiceName, allContracts, natsSubject } from '@switchyard/contracts';
import { natsAuthorization, permissionsOf } from './permissions';

const users = Object.fromEntries(SERVICES.map((service) => [service, `U${service}`])) as Record<ServiceName, string>;

describe('the permissions of services at NATS', () => {
  it('keep nothing for each message: the server would look through all it keeps with each further one', () => {
    expect(natsAuthorization({ users })).not.toContain('allow_responses');
  });

  it('let the migration alone make and change streams', () => {
    const makers = (authorization: string): string[] =>
      authorization
        .split('\n')
        .filter((line) => /STREAM\.(?:CREATE|UPDATE)/.test(line))
        .map((line) => /nkey: (\S+),/.exec(line)?.[1] ?? '');
    expect(makers(natsAuthorization({ users, migration: 'UM', operator: 'UO' }))).toEqual(['UM']);
    const forPreviousVersion = natsAuthorization({ users, migration: 'UM', operator: 'UO', servicesMakeStreams: true });
    expect(makers(forPreviousVersion)).toEqual([...Object.values(users), 'UM']);
  });

  it('let a service make consumers with its own filters alone', () => {
    for (const service of SERVICES) {
      const makes = permissionsOf(service).publish.filter((subject) =>
        /CONSUMER\.(?:DURABLE\.)?CREATE\./.test(subject),
      );
      const consumed = allContracts().filter(
        (contract) => contract.kind === 'event' && (contract.consumers as readonly string[]).includes(service),
      );
      const filters = makes
        .filter((subject) => subject.includes('.EVENTS.'))
        .map((subject) => subject.split('.').slice(6).join('.'));
      expect(filters.sort()).toEqual(consumed.map(natsSubject).sort());
    }
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
