import { defineCall } from '../define/define-contracts';
import { PageRequest, pageOf } from '../define/common-shapes';
import { VerifiedKey } from './identity';
import {
  CreateNatsAccount,
  CreateNatsAccountBody,
  ListNatsAccounts,
  LoadableNatsAccount,
  NatsAccountsQuery,
  NatsAccountView,
  NatsAccountWithSeed,
  NatsReceivers,
  NatsReceiversQuery,
  NatsRevisionLoaded,
  NatsRevisionView,
  OfNatsAccount,
  OperatorNatsAccounts,
  RotateNatsAccount,
  RotateNatsAccountBody,
  UpdateNatsAccount,
  UpdateNatsAccountBody,
  VerifyNatsAccount,
} from './nats-accounts';

const READ = { scope: 'keys:read', role: 'ADMIN' } as const;
const WRITE = { scope: 'keys:write', role: 'ADMIN', givesRights: true } as const;

/** Accounts of a company's services on NATS. */
export const NatsAccountCalls = {
  createNatsAccount: defineCall({
    subject: 'key.create-nats-account',
    request: CreateNatsAccount,
    reply: NatsAccountWithSeed,
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    access: WRITE,
    callers: ['gateway'],
    http: {
      name: 'createNatsAccount',
      method: 'POST',
      path: '/spaces/:spaceId/nats-accounts',
      status: 201,
      summary: 'Create an account for a service on NATS',
      description:
        'Waits up to ten seconds until the NATS server has loaded the user (`admittedAt`). The seed is in this answer alone; ' +
        'there is none where `publicKey` was given. Where the NATS API is off, it is 409.',
      message: 'Account created. Keep the seed: it is not shown again.',
      body: CreateNatsAccountBody,
    },
  }),
  listNatsAccounts: defineCall({
    subject: 'key.list-nats-accounts',
    request: ListNatsAccounts,
    reply: pageOf(NatsAccountView),
    access: READ,
    callers: ['gateway'],
    http: {
      name: 'listNatsAccounts',
      method: 'GET',
      path: '/spaces/:spaceId/nats-accounts',
      summary: 'List the accounts of services on NATS',
      message: 'Accounts.',
      query: NatsAccountsQuery,
    },
  }),
  getNatsAccount: defineCall({
    subject: 'key.get-nats-account',
    request: OfNatsAccount,
    reply: NatsAccountView,
    errors: ['NOT_FOUND'],
    access: READ,
    callers: ['gateway'],
    http: {
      name: 'getNatsAccount',
      method: 'GET',
      path: '/spaces/:spaceId/nats-accounts/:accountId',
      summary: 'Read an account of a service on NATS',
      message: 'The account.',
    },
  }),
  updateNatsAccount: defineCall({
    subject: 'key.update-nats-account',
    request: UpdateNatsAccount,
    reply: NatsAccountView,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: WRITE,
    callers: ['gateway'],
    http: {
      name: 'updateNatsAccount',
      method: 'PATCH',
      path: '/spaces/:spaceId/nats-accounts/:accountId',
      summary: 'Change the name, role, scopes or limits of an account',
      description: 'Role and scopes can only shrink: more is 400. Each limit changes by itself; null removes it.',
      message: 'Account changed.',
      body: UpdateNatsAccountBody,
    },
  }),
  rotateNatsAccount: defineCall({
    subject: 'key.rotate-nats-account',
    request: RotateNatsAccount,
    reply: NatsAccountWithSeed,
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    access: WRITE,
    callers: ['gateway'],
    http: {
      name: 'rotateNatsAccount',
      method: 'POST',
      path: '/spaces/:spaceId/nats-accounts/:accountId/rotate',
      summary: 'Give an account a new NATS user',
      description:
        'The old user goes on for `graceSeconds`. Waits up to ten seconds until the NATS server has loaded the new one. ' +
        'The seed is in this answer alone: a repeat with the same idempotency key rotates nothing and comes without it.',
      message: 'Account rotated. Keep the seed: it is not shown again.',
      body: RotateNatsAccountBody,
    },
  }),
  revokeNatsAccount: defineCall({
    subject: 'key.revoke-nats-account',
    request: OfNatsAccount,
    reply: NatsAccountView,
    errors: ['NOT_FOUND'],
    access: WRITE,
    callers: ['gateway'],
    http: {
      name: 'revokeNatsAccount',
      method: 'POST',
      path: '/spaces/:spaceId/nats-accounts/:accountId/revoke',
      summary: 'Revoke an account',
      description:
        'Its requests are refused within a second, and its user leaves the NATS server with the next reload. Revoking twice is no error.',
      message: 'Account revoked.',
    },
  }),

  /** Read by the command that writes the users of a NATS server. */
  listAllNatsAccounts: defineCall({
    subject: 'key.list-all-nats-accounts',
    request: PageRequest,
    reply: OperatorNatsAccounts,
    access: { operator: 'operator:nats' },
    callers: ['gateway'],
  }),
  noteNatsRevisionLoaded: defineCall({
    subject: 'key.note-nats-revision-loaded',
    request: NatsRevisionLoaded,
    reply: NatsRevisionView,
    access: { operator: 'operator:nats' },
    callers: ['gateway'],
    http: {
      name: 'reportNatsRevisionLoaded',
      method: 'POST',
      path: '/operator/nats-accounts/loaded',
      summary: 'Report the revision of the accounts that a NATS server has loaded',
      description: 'A revision that the list has not reached is 400; one below a reported one changes nothing.',
      message: 'Noted.',
    },
  }),

  /** The account of a subject. UNAUTHORIZED alike for an unknown and a revoked one. */
  verifyNatsAccount: defineCall({
    subject: 'key.verify-nats-account',
    request: VerifyNatsAccount,
    reply: VerifiedKey,
    errors: ['UNAUTHORIZED'],
    access: 'internal',
    callers: ['gateway'],
    offline: true,
  }),
  /** Accounts whose user a server may have: active ones, and revoked ones that it has not removed yet. */
  listLoadableNatsAccounts: defineCall({
    subject: 'key.list-loadable-nats-accounts',
    request: PageRequest,
    reply: pageOf(LoadableNatsAccount),
    access: 'internal',
    callers: ['gateway'],
    offline: true,
  }),
  /** Whether events may be sent to these accounts. */
  readNatsReceivers: defineCall({
    subject: 'key.read-nats-receivers',
    request: NatsReceiversQuery,
    reply: NatsReceivers,
    access: 'internal',
    callers: ['event-bus'],
    offline: true,
  }),
};
