import { hostEnvironment, hostedSettings } from './host-environment';

const services = {
  agent: { NATS_NKEY_SEED: 'of the agent', LOG_LEVEL: 'info', REDIS_URL: undefined },
  session: { NATS_NKEY_SEED: 'of the session', DATABASE_URL: 'postgres://session@db' },
};

it('gives each service its own value of a variable, and none of the others', () => {
  const environment = hostEnvironment(services, { PATH: '/usr/bin' });
  expect(Object.fromEntries(hostedSettings(environment))).toEqual(services);
  expect(environment).toMatchObject({ PATH: '/usr/bin' });
});

it('has no services where none are named', () => {
  expect(hostedSettings({ PATH: '/usr/bin' })).toEqual([]);
});
