import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@switchyard/testing';
import { makeAuthority } from '../../../../tools/launcher/test/tls/certificates';
import { OwnServer } from './own-server';

const folder = mkdtempSync(path.join(tmpdir(), 'nats-tls-'));
const secure = new OwnServer();
const strict = new OwnServer();
const renamed = new OwnServer();
const plain = new OwnServer();
const ours = makeAuthority(folder, 'ours');
const foreign = makeAuthority(folder, 'foreign');
const [own, others] = [ours.issue('localhost'), foreign.issue('localhost')];

beforeAll(async () => {
  const tls = { cert: own.certFile, key: own.keyFile };
  await secure.start(0, { tls });
  // As a company's own server may: no client without a certificate.
  await strict.start(0, { tls: { ...tls, ca: ours.file }, verifiesClients: true });
  const { certFile: cert, keyFile: key } = ours.issue('elsewhere.example');
  await renamed.start(0, { tls: { cert, key } });
  await plain.start(0);
});

afterAll(async () => {
  await Promise.all([secure, strict, renamed, plain].map((server) => server.stop()));
  rmSync(folder, { recursive: true });
});

/** The address with the name of the certificate. */
const named = ({ url }: OwnServer, scheme = 'nats'): string => url.replace('nats://127.0.0.1', `${scheme}://localhost`);

type Settings = Parameters<OwnServer['connect']>[0];

async function expectUp(server: OwnServer, settings: Settings): Promise<void> {
  const connection = server.connect(settings);
  await until(() => connection.isUp);
}

/** The reason is logged, as an operator looks for it. */
async function expectRefused(server: OwnServer, settings: Settings, reason: RegExp): Promise<void> {
  const before = server.lines.length;
  const connection = server.connect(settings);
  const line = await until(() =>
    server.lines.slice(before).find(({ text }) => text.startsWith('failed to connect to the NATS server of services')),
  );
  expect(line).toMatchObject({ level: 'warn', text: expect.stringMatching(reason) });
  expect(connection.isUp).toBe(false);
  await connection.close();
}

describe('the connection to a NATS server of services with TLS', () => {
  it.each(['nats', 'tls'])('trusts the authority of NATS_API_TLS_CA (%s://)', async (scheme) => {
    await expectUp(secure, { NATS_API_URL: named(secure, scheme), NATS_API_TLS_CA: ours.file });
  });

  it('is not made to a certificate of another authority', async () => {
    const reason = /self.signed certificate|unable to (?:verify|get)/;
    await expectRefused(secure, { NATS_API_URL: named(secure), NATS_API_TLS_CA: foreign.file }, reason);
    await expectRefused(secure, { NATS_API_URL: named(secure, 'tls') }, reason);
  });

  it('is not made to a certificate for another name', async () => {
    const settings = { NATS_API_URL: named(renamed), NATS_API_TLS_CA: ours.file };
    await expectRefused(renamed, settings, /does not match certificate's altnames/);
  });

  it('is never made without TLS, if the settings ask for it', async () => {
    await expectRefused(plain, { NATS_API_URL: named(plain), NATS_API_TLS_CA: ours.file }, /TLS|tls/);
    await expectRefused(plain, { NATS_API_URL: named(plain, 'tls') }, /TLS|tls/);
  });

  it('shows the certificate of NATS_API_TLS_CERT to a server that wants one', async () => {
    const settings = { NATS_API_URL: named(strict), NATS_API_TLS_CA: ours.file };
    await expectRefused(strict, settings, /certificate|disconnect|closed|ECONNRESET/i);
    const wrong = { NATS_API_TLS_CERT: others.certFile, NATS_API_TLS_KEY: others.keyFile };
    await expectRefused(strict, { ...settings, ...wrong }, /certificate|disconnect|closed|ECONNRESET/i);
    const right = { NATS_API_TLS_CERT: own.certFile, NATS_API_TLS_KEY: own.keyFile };
    await expectUp(strict, { ...settings, ...right });
  });
});
