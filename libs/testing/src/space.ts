import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './parse-response';
import type { Client, Reply } from './client';

export type MemberRole = 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';

/** A Space of this test alone, with an owner of its own. */
export class TestSpace {
  constructor(
    readonly id: string,
    readonly owner: Client,
    /** An operator of the platform without membership of the Space. */
    readonly operator: Client,
  ) {}

  /** Tokens come from above: an OWNER cannot credit the own Space. */
  credit(tokens: number, note?: string): Promise<Reply> {
    const body = { tokens, ...(note === undefined ? {} : { note }) };
    return admitted(() => this.operator.post(`/operator/spaces/${this.id}/credits`, body));
  }

  /** The id of one more Space of which this person is the OWNER. */
  async anotherOf(person: Client, name = `Test ${suffix()}`): Promise<string> {
    const body = { name, owner: { userId: person.identity.userId } };
    const made = await admitted(() => this.operator.post('/operator/spaces', body));
    return expectStatus(201, made, 'make another Space').id as string;
  }

  /** A new user of this Space, signed in. */
  async member(role: MemberRole = 'MEMBER'): Promise<Client> {
    return addMember(this.owner, this.id, role);
  }

  /** Brings an account of another Space into this one, by an invitation; the client acts in this Space. */
  async join(client: Client, role: MemberRole = 'MEMBER'): Promise<Client> {
    const email = `guest-${suffix()}@test.example`;
    const invited = await this.owner.post(`/spaces/${this.id}/members`, { email, role });
    const { invitation } = expectStatus(201, invited, `invite a ${role}`) as { invitation: { token: string } };
    const accepted = await client.post('/auth/invitations/accept', { token: invitation.token });
    const { accessToken } = expectStatus(200, accepted, 'accept an invitation');
    return client.as(`Bearer ${accessToken as string}`, client.identity);
  }

  /** A new API key of the owner (or of `as`). */
  async key(
    settings: { scopes?: string[]; name?: string; expiresAt?: string; limits?: object } = {},
    as = this.owner,
  ): Promise<Client> {
    const created = expectStatus(
      201,
      await as.post('/api-keys', { name: settings.name ?? 'test', ...settings }),
      'make a key',
    );
    return as.as(`Bearer ${created.key as string}`, { keyId: created.id as string, userId: as.identity.userId });
  }
}

export async function createSpace(operator: Client, name = `Test ${suffix()}`): Promise<TestSpace> {
  const made = await admitted(() => operator.post('/spaces', { name }));
  const id = expectStatus(201, made, 'make a Space').id as string;
  const reply = await admitted(() => operator.post('/auth/switch-space', { spaceId: id }));
  const switched = expectStatus(200, reply, 'switch to the Space');
  const founder = operator.as(`Bearer ${switched.accessToken as string}`);
  return new TestSpace(id, await addMember(founder, id, 'OWNER'), operator);
}

/** An account with a password of its own choice and a Space of its own, made an operator; signed in. */
export async function createOperator(bootstrapOwner: Client): Promise<Client> {
  const email = `operator-${suffix()}@test.example`;
  const password = `correct horse ${suffix()}`;
  const space = { name: `Operator ${suffix()}`, owner: { email } };
  const made = await admitted(() => bootstrapOwner.post('/operator/spaces', space));
  const { token } = expectStatus(201, made, 'make a Space for an operator').invitation as { token: string };
  const accepted = await bootstrapOwner.as(null).post('/auth/invitations/accept', { token, password });
  const { user } = expectStatus(200, accepted, 'accept an invitation') as { user: { id: string } };
  const granted = await admitted(() => bootstrapOwner.post(`/operator/users/${user.id}/grant`, {}));
  expectStatus(200, granted, 'make an operator');
  return signIn(bootstrapOwner.as(null), email, password);
}

/** Signs in. The client keeps the password, so that a test can do it again. */
export async function signIn(anonymous: Client, email: string, password: string, spaceId?: string): Promise<Client> {
  const data = expectStatus(
    200,
    await anonymous.post('/auth/login', { email, password, spaceId }),
    `sign in as ${email}`,
  );
  const user = data.user as { id: string };
  return anonymous.as(`Bearer ${data.accessToken as string}`, { userId: user.id, email, password });
}

async function addMember(by: Client, spaceId: string, role: MemberRole): Promise<Client> {
  const email = `${role.toLowerCase()}-${suffix()}@test.example`;
  const password = `correct horse ${suffix()}`;
  expectStatus(201, await by.post(`/spaces/${spaceId}/members`, { email, role, password }), `add a ${role}`);
  return signIn(by.as(null), email, password, spaceId);
}

/** Asks again when a limit of requests has passed: the account of the first start makes the operators of all files. */
export async function admitted(ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await ask();
    if (reply.status !== 429) return reply;
    await sleep(1000 * Number(reply.headers['retry-after'] ?? 1));
  }
}

function expectStatus(status: number, reply: Reply, what: string): Answer {
  if (reply.status !== status) throw new Error(`could not ${what}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return (reply.body as { data: Answer }).data;
}

const suffix = (): string => randomBytes(8).toString('hex');
