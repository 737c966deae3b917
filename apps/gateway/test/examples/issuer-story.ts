import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startGateway } from '@switchyard/testing';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { StoryContext } from './story-context';

const AUDIENCE = 'https://switchyard.example.com';

/** A member links her account with an identity of the company's issuer, at a gateway that accepts its tokens. */
export async function externalIssuer({ platform, ada, recorder }: StoryContext): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }];
  const server = createServer((request, response) => {
    const isDiscovery = request.url === '/.well-known/openid-configuration';
    const body = isDiscovery ? { issuer, jwks_uri: `${issuer}/keys` } : { keys };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = urlOf(server);
  const gateway = await startGateway(platform, { OIDC_ISSUER: issuer, OIDC_AUDIENCE: AUDIENCE });
  try {
    const token = await new SignJWT({ sub: `ada-${ada.identity.userId ?? ''}` })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setAudience(AUDIENCE)
      .setExpirationTime('5 minutes')
      .sign(privateKey);
    await recorder.call(gateway.at(ada), 'POST /api/auth/identities', {}, { token });
  } finally {
    await gateway.stop();
    server.close();
  }
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
