import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../launcher/project-root';
import { SERVICES } from '../launcher/service-names';
import { isOfEveryProcess } from '../launcher/services/variable-names';
import { variableNamesOfServices } from '../prepare/variable-names';
import { SETUPS_OWN, operatorSettings } from './operator-settings';

const names = variableNamesOfServices();
const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

/** As the container `setup` has it: of docker-compose.yml, of the image, and of a .env. */
const environment = {
  ...Object.fromEntries([...SETUPS_OWN].map((name) => [name, 'of setup'])),
  PATH: '/bin',
  NODE_OPTIONS: '--max-http-header-size=16384',
  OPENAI_API_KEY: 'sk-of-a-provider',
  SYSTEM_AGENT_MODEL: 'gpt-4.1-mini',
  SPACE_CREATION: 'MEMBERS',
  TRUSTED_PROXIES: '1',
  SWITCHYARD_EGRESS_PORTS: '8443',
  LOG_LEVEL: '',
};

test('a setting reaches the services that declare it, and no other', () => {
  const having = (name: string): string[] =>
    SERVICES.filter((service) => name in operatorSettings(service, environment, names));
  expect(having('SYSTEM_AGENT_MODEL')).toEqual(['agent']);
  expect(having('TRUSTED_PROXIES')).toEqual(['gateway']);
  expect(having('SPACE_CREATION')).toEqual(['key']);
  expect(having('SWITCHYARD_EGRESS_PORTS')).toEqual(expect.arrayContaining(['agent', 'job', 'task']));
  // Set to nothing is not set.
  expect(having('LOG_LEVEL')).toEqual([]);
});

test('the key of a provider reaches the relay alone', () => {
  const having = SERVICES.filter((service) => 'OPENAI_API_KEY' in operatorSettings(service, environment, names));
  expect(having).toEqual(['relay']);
});

test.each(SERVICES)('%s is given nothing that belongs to the container setup or to its process', (service) => {
  const given = Object.entries(operatorSettings(service, environment, names));
  expect(given.filter(([name, value]) => value === 'of setup' || name === 'PATH' || name === 'NODE_OPTIONS')).toEqual([]);
});

test('settings for setup in docker-compose.yml and the image are known as its own', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: -1 }) as {
    services: { setup: { environment: object } };
  };
  const lastStage = read('deploy/Dockerfile').split(/^FROM /m).at(-1) ?? '';
  const ofImage = [...(/^ENV ([^]*?)\nCOPY/m.exec(lastStage)?.[1] ?? '').matchAll(/^ *([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(ofImage).toEqual(expect.arrayContaining(['NODE_ENV', 'APP', 'NODE_OPTIONS']));
  const set = [...Object.keys(services.setup.environment), ...ofImage];
  expect(set.filter((name) => !SETUPS_OWN.has(name) && !isOfEveryProcess(name))).toEqual([]);
});
