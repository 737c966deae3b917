import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { GATEWAY_PERMISSIONS, type NatsApiPermissions, accountPermissions } from '@switchyard/messaging';
import { Metrics, natsApiConnection } from '@switchyard/service';
import { until } from '@switchyard/testing';
import { connect, createInbox, credsAuthenticator } from 'nats';
import { type KeyPair, createAccount, createOperator, createUser } from 'nkeys.js';
import { OwnServer } from './own-server';

/** A company's own server knows its users by tokens of an operator, and gives each a file of credentials. */
const operator = createOperator();
const company = createAccount();
const ACCOUNT = 'A'.repeat(22);
const server = new OwnServer();

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = (): number => Math.floor(Date.now() / 1000);

function token(signer: KeyPair, subject: KeyPair, nats: object, expiresAt?: number): string {
  const claims = {
    jti: subject.getPublicKey(),
    iat: seconds(),
    iss: signer.getPublicKey(),
    sub: subject.getPublicKey(),
    ...(expiresAt === undefined ? {} : { exp: expiresAt }),
    nats: { version: 2, ...nats },
  };
  const text = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode(claims)}`;
  return `${text}.${Buffer.from(signer.sign(new TextEncoder().encode(text))).toString('base64url')}`;
}

function credentialsOf({ publish, subscribe }: NatsApiPermissions, expiresAt?: number, signer = company): string {
  const user = createUser();
  const none = { subs: -1, data: -1, payload: -1 };
  const rights = { pub: { allow: publish }, sub: { allow: subscribe } };
  const claims = token(signer, user, { type: 'user', ...none, ...rights }, expiresAt);
  const seed = new TextDecoder().decode(user.getSeed());
  return [
    '-----BEGIN NATS USER JWT-----',
    claims,
    '------END NATS USER JWT------',
    '',
    '************************* IMPORTANT *************************',
    '',
    '-----BEGIN USER NKEY SEED-----',
    seed,
    '------END USER NKEY SEED------',
    '',
  ].join('\n');
}

let files = 0;
function written(text: string): string {
  const file = path.join(server.folder, `${(files += 1)}.creds`);
  writeFileSync(file, text);
  return file;
}

beforeAll(async () => {
  const unlimited = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, conn: -1, leaf: -1, wildcards: true };
  const own = token(operator, company, { type: 'account', limits: unlimited });
  const config = [
    `operator: ${token(operator, operator, { type: 'operator' })}`,
    'resolver: MEMORY',
    `resolver_preload: { ${company.getPublicKey()}: ${own} }`,
  ].join('\n');
  await server.start(0, { config });
});

afterAll(() => server.stop());

const logged = (pattern: RegExp): Promise<unknown> => until(() => server.lines.find(({ text }) => pattern.test(text)));

describe('NATS_API_CREDS', () => {
  it("is the platform's user at a company's own server", async () => {
    const connection = server.connect({ NATS_API_CREDS: written(credentialsOf(GATEWAY_PERMISSIONS)) });
    await until(() => connection.isUp);
    connection.subscribe(`switchyard.v1.${ACCOUNT}.>`, 'switchyard', ({ reply = '', subject }) => {
      connection.publish(reply, { body: subject });
    });
    const creds = new TextEncoder().encode(credentialsOf(accountPermissions(ACCOUNT)));
    const service = await connect({ servers: server.url, authenticator: credsAuthenticator(creds) });
    const answer = await until(() =>
      service
        .request(`switchyard.v1.${ACCOUNT}.ping`, '', {
          timeout: 1_000,
          noMux: true,
          reply: createInbox(`_INBOX.${ACCOUNT}`),
        })
        .catch(() => null),
    );
    expect(answer.string()).toBe(`switchyard.v1.${ACCOUNT}.ping`);
    await service.close();
  });

  it('of another account of the operator is refused, and the log says why', async () => {
    const other = createAccount();
    const file = written(credentialsOf(GATEWAY_PERMISSIONS, undefined, other));
    const connection = server.connect({ NATS_API_CREDS: file });
    await logged(/^failed to connect to the NATS server of services: .*authorization/i);
    expect(connection.isUp).toBe(false);
    await connection.close();
  });

  it.each([
    ['no file', '/nothing/user.creds', /ENOENT/],
    ['a file without credentials', () => written('text'), /NATS_API_CREDS/],
    ['a file with a seed alone', () => written(`---BEGIN---\nSU${'A'.repeat(56)}\n---END---\n`), /NATS_API_CREDS/],
  ])('that is the path of %s ends the start', (_, file, reason) => {
    const given = typeof file === 'string' ? file : file();
    expect(() => server.connect({ NATS_API_CREDS: given })).toThrow(reason);
  });

  it('is read again where its credentials have expired, and a broken file replaces none', async () => {
    const file = written(credentialsOf(GATEWAY_PERMISSIONS, seconds() - 60));
    const connection = server.connect({ NATS_API_CREDS: file });
    const before = server.lines.length;
    await until(() => server.lines.slice(before).some(({ text }) => text.startsWith('failed to connect')));
    writeFileSync(file, 'half a file');
    await logged(/^failed to read the credentials/);
    expect(connection.isUp).toBe(false);
    writeFileSync(file, credentialsOf(GATEWAY_PERMISSIONS));
    await until(() => connection.isUp);
  });

  it('is measured by when it expires', async () => {
    const expiresAt = seconds() + 86_400;
    const metrics = new Metrics('test');
    const settings = {
      NATS_API_URL: server.url,
      NATS_API_CREDS: written(credentialsOf(GATEWAY_PERMISSIONS, expiresAt)),
    };
    const nothing = (): void => undefined;
    const log = { info: nothing, warn: nothing, error: nothing, debug: nothing };
    natsApiConnection(settings, { name: 'test', log, metrics });
    const text = await metrics.text();
    const metric = 'switchyard_nats_api_credentials_expire_timestamp_seconds';
    expect(text).toMatch(new RegExp(`^${metric}\\{kind="user",service="test"\\} ${expiresAt}$`, 'm'));
    expect(text).toMatch(/^switchyard_nats_api_up\{service="test"\} 0$/m);
  });
});
