import { randomBytes } from 'node:crypto';
import { type Client, type TestPlatform, admitted, signIn } from '@switchyard/testing';

const PASSWORD = 'chosen by the person alone';

/** The account that the first start made, which runs the platform; signed in at this moment. */
export function bootstrapOperator(platform: TestPlatform): Promise<Client> {
  const { email, password } = platform.state.owner;
  return signIn(platform.anonymous, email, password);
}

/** A member of a new Space who has chosen the own password. */
export async function personOfOwn(platform: TestPlatform): Promise<Client> {
  const space = await platform.newSpace();
  const email = `person-${randomBytes(6).toString('hex')}@test.example`;
  const invited = await space.owner.post(`/spaces/${space.id}/members`, { email, role: 'OWNER' });
  const token = invited.body.data.invitation.token as string;
  const accepted = await platform.anonymous.post('/auth/invitations/accept', { token, password: PASSWORD });
  expect(accepted.status).toBe(200);
  const { accessToken, user } = accepted.body.data;
  return platform.anonymous.as(`Bearer ${accessToken as string}`, {
    userId: user.id as string,
    email,
    password: PASSWORD,
  });
}

/** As `personOfOwn`, made an operator. */
export async function newOperator(platform: TestPlatform): Promise<Client> {
  const person = await personOfOwn(platform);
  const operator = await bootstrapOperator(platform);
  // All test files share the requests of this operator.
  const granted = await admitted(() => operator.post(`/operator/users/${person.identity.userId}/grant`, {}));
  expect(granted.status).toBe(200);
  return signInAgain(platform, person);
}

export const signInAgain = (platform: TestPlatform, { identity }: Client): Promise<Client> =>
  signIn(platform.anonymous, identity.email ?? '', identity.password ?? '');

/** A key of the operator with these scopes. */
export async function operatorKey(operator: Client, scopes?: string[]): Promise<Client> {
  const made = await operator.post('/operator/keys', { name: 'test', ...(scopes ? { scopes } : {}) });
  expect(made.status).toBe(201);
  return operator.as(`Bearer ${made.body.data.key as string}`, { keyId: made.body.data.id as string });
}
