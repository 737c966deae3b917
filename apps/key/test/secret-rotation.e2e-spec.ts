import { spawn } from 'node:child_process';
import { createCipheriv, randomBytes } from 'node:crypto';
import path from 'node:path';
import { migrate, prepareDatabase, serviceUrl } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { Encrypter } from '@switchyard/service';
import { AdminDatabase, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const SERVICES = ['key', 'agent', 'event-bus'] as const;
/** As the event bus stores it. */
const asText = (sealed: Buffer): string => `v2.${sealed.toString('base64url')}`;
const bytesOf = (text = ''): Buffer => Buffer.from(text.split('.')[1] ?? '', 'base64url');
const prefixOf = (service: string): string => service.toUpperCase().replace('-', '_');

describe('npm run secrets:rotate', () => {
  const name = `rotation_${randomBytes(6).toString('hex')}`;
  const [oldKey, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  const logins = SERVICES.map((service) => ({ service, password: randomBytes(16).toString('hex') }));
  let database: AdminDatabase;
  let url: string;

  beforeAll(async () => {
    await platform.database.query(`create database ${name}`);
    const admin = new URL(platform.state.databaseUrl);
    admin.pathname = `/${name}`;
    url = admin.href;
    await prepareDatabase(url, logins);
    for (const service of SERVICES) {
      const file = path.resolve(`dist/apps/${service}/src/db/migrations/index.js`);
      const { migrations } = (await import(file)) as { migrations: Parameters<typeof migrate>[1]['migrations'] };
      await migrate(url, { service, migrations });
    }
    database = new AdminDatabase(() => url);
  }, 60_000);

  afterAll(async () => {
    await database.close();
    await platform.database.query(`drop database ${name} with (force)`);
  });

  const rotate = async (dataKey: string, without?: string): Promise<string> => {
    const env = Object.fromEntries(
      logins
        .flatMap((login) => [
          [`${prefixOf(login.service)}_DATABASE_URL`, serviceUrl(url, login)],
          [`${prefixOf(login.service)}_DATA_KEY`, dataKey],
        ])
        .filter(([variable]) => variable !== without),
    ) as NodeJS.ProcessEnv;
    const child = spawn(process.execPath, [path.resolve('dist/tools/secrets/rotate-command.js')], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    if (code !== 0) throw new Error(output);
    return output;
  };
  const firstFormat = (text: string, context: string): Buffer[] => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(oldKey, 'base64'), nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return [nonce, cipher.getAuthTag(), sealed];
  };

  it('seals everything with the first key, while values are written, and leaves nothing for the old one', async () => {
    const spaceId = newId();
    const old = new Encrypter(oldKey);
    const both = new Encrypter(`2:${newKey},1:${oldKey}`);
    const insert = `insert into key.secrets (space_id, id, name, sealed) values ($1, $2, $3, $4)`;
    const ids = Array.from({ length: 250 }, () => newId());
    for (const id of ids)
      await database.query(insert, [
        spaceId,
        id,
        `s_${id.replaceAll('-', '')}`,
        old.seal(`value of ${id}`, `secret:${spaceId}:${id}`),
      ]);
    await database.query(
      `insert into key.spaces (space_id, id, name, sealed_webhook_secret) values ($1, $1, 'x', $2)`,
      [spaceId, Buffer.concat([Buffer.of(1), ...firstFormat('whsec_x', `webhook-secret:${spaceId}`)])],
    );
    await database.query(
      `insert into key.signing_keys (kid, algorithm, stage, public_jwk, sealed_private_jwk) values ('k', 'ES256', 'NEXT', '{}', $1)`,
      [old.seal('{"d":"x"}', 'signing-key:k')],
    );
    const agentId = newId();
    const headers = [
      'v1',
      ...firstFormat('{"a":"b"}', `${agentId}/crm`).map((part) => part.toString('base64url')),
    ].join('.');
    await database.query(
      `insert into agent.agents (space_id, id, name, agent_type, access_scope, allowed_user_ids, body, secrets, version)
       values ($1, $2, 'x', 'CHAT', 'SPACE', '{}', '{}', $3, 1)`,
      [spaceId, agentId, JSON.stringify({ crm: headers })],
    );

    const endpointId = newId();
    await database.query(
      `insert into event_bus.endpoints (space_id, id, name, url, in_flight, active, secret, headers)
       values ($1, $2, 'crm', 'https://example.com', 4, true, $3, $4)`,
      [
        spaceId,
        endpointId,
        asText(old.seal('whsec_y', `endpoint:${endpointId}/secret`)),
        asText(old.seal('{"a":"b"}', `endpoint:${endpointId}/headers`)),
      ],
    );
    // One over NATS has neither secret nor headers.
    await database.query(
      `insert into event_bus.endpoints (space_id, id, name, transport, nats_account_id, ack_seconds, in_flight, active)
       values ($1, $2, 'billing', 'nats', 'account', 30, 16, true)`,
      [spaceId, newId()],
    );

    // New values come in meanwhile, and none of them may be lost.
    const write = async (): Promise<void> => {
      for (const id of ids)
        await database.query('update key.secrets set sealed = $3 where space_id = $1 and id = $2', [
          spaceId,
          id,
          both.seal(`newer value of ${id}`, `secret:${spaceId}:${id}`),
        ]);
    };
    const [text] = await Promise.all([rotate(`2:${newKey},1:${oldKey}`), write()]);
    expect(text).toContain('secrets of Spaces');
    expect(await rotate(`2:${newKey},1:${oldKey}`)).toMatch(
      /key: 0 webhook secrets[^]*agent: 0 headers[^]*event-bus: 0 secrets and headers of endpoints/,
    );

    const alone = new Encrypter(`2:${newKey}`);
    const rows = await database.query<{ id: string; sealed: Buffer }>('select id, sealed from key.secrets');
    expect(rows).toHaveLength(250);
    for (const { id, sealed } of rows)
      expect(alone.open(sealed, `secret:${spaceId}:${id}`)).toBe(`newer value of ${id}`);
    const [space] = await database.query<{ sealed: Buffer }>('select sealed_webhook_secret as sealed from key.spaces');
    expect(alone.open(space?.sealed ?? Buffer.alloc(0), `webhook-secret:${spaceId}`)).toBe('whsec_x');
    const [signing] = await database.query<{ sealed: Buffer }>(
      'select sealed_private_jwk as sealed from key.signing_keys',
    );
    expect(alone.open(signing?.sealed ?? Buffer.alloc(0), 'signing-key:k')).toBe('{"d":"x"}');
    const [agent] = await database.query<{ secrets: { crm: string } }>('select secrets from agent.agents');
    const [version, sealed = ''] = agent?.secrets.crm.split('.') ?? [];
    expect(version).toBe('v2');
    expect(alone.open(Buffer.from(sealed, 'base64url'), `${agentId}/crm`)).toBe('{"a":"b"}');
    const [endpoint] = await database.query<{ secret: string; headers: string }>(
      `select secret, headers from event_bus.endpoints where transport = 'http'`,
    );
    expect(alone.open(bytesOf(endpoint?.secret), `endpoint:${endpointId}/secret`)).toBe('whsec_y');
    expect(alone.open(bytesOf(endpoint?.headers), `endpoint:${endpointId}/headers`)).toBe('{"a":"b"}');
  });

  it.each(SERVICES)('fails if the key of %s is not given, after it has done the others', async (service) => {
    const variable = `${prefixOf(service)}_DATA_KEY`;
    const output = await rotate(`2:${newKey},1:${oldKey}`, variable).catch((error: unknown) => String(error));
    expect(output).toMatch(/^Error: /);
    expect(output).toContain(`${service}: skipped, because ${variable} is not set`);
    const others = SERVICES.filter((each) => each !== service);
    for (const other of others) expect(output).toMatch(new RegExp(`^(?:Error: )?${other}: \\d+`, 'm'));
  });

  it('leaves a row that does not open as it is, seals the others, and names it', async () => {
    const spaceId = newId();
    const third = randomBytes(32).toString('base64');
    const damaged = newId();
    await database.query(`insert into key.secrets (space_id, id, name, sealed) values ($1, $2, 'damaged', '')`, [
      spaceId,
      damaged,
    ]);
    await expect(rotate(`3:${third},2:${newKey}`)).rejects.toThrow(
      `nothing sealed stands at secret:${spaceId}:${damaged}`,
    );
    const rows = await database.query<{ sealed: Buffer }>('select sealed from key.secrets where id <> $1', [damaged]);
    expect(rows).toHaveLength(250);
    expect(rows.every(({ sealed }) => new Encrypter(`3:${third}`).isCurrent(sealed))).toBe(true);
    await database.query('delete from key.secrets where id = $1', [damaged]);
    expect(await rotate(`3:${third},2:${newKey}`)).toContain('agent: 0 headers');
  });

  it('says which key is missing and changes nothing', async () => {
    await expect(rotate(`4:${oldKey}`)).rejects.toThrow('version 3');
  });
});
