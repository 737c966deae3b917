import { TextFrame, defineCall, defineStream } from '../define/define-contracts';
import { pageOf, PageRequest } from '../define/common-shapes';
import { RotateApiKeyBody } from './api-keys';
import { ListEvents, PlatformEventView } from './security-events';
import {
  AccountView,
  CreateOperatorKey,
  DisabledAccountView,
  ListAccounts,
  ListOperatorKeys,
  OfAccount,
  OfOperatorKey,
  OperatorKeyView,
  OperatorKeyWithValue,
  PasswordResetView,
  RotateOperatorKey,
} from './operators';

/** Operators and their keys. */
export const OperatorCalls = {
  listOperators: defineCall({
    subject: 'key.list-operators',
    request: PageRequest,
    reply: pageOf(AccountView),
    access: { operator: 'operator:read' },
    callers: ['gateway'],
    http: {
      name: 'listOperators',
      method: 'GET',
      path: '/operator/operators',
      summary: 'List the operators of the platform',
      message: 'Operators.',
    },
  }),
  grantOperator: defineCall({
    subject: 'key.grant-operator',
    request: OfAccount,
    reply: AccountView,
    errors: ['CONFLICT'],
    access: { operator: 'operator:write', strong: true },
    callers: ['gateway'],
    http: {
      name: 'grantOperator',
      method: 'POST',
      path: '/operator/users/:userId/grant',
      summary: 'Make an account an operator',
      description:
        'Being an operator gives no right inside a Space. An account whose password was chosen by another person and never changed is 409.',
      message: 'The account is an operator.',
    },
  }),
  revokeOperator: defineCall({
    subject: 'key.revoke-operator',
    request: OfAccount,
    reply: AccountView,
    errors: ['CONFLICT'],
    access: { operator: 'operator:write', strong: true },
    callers: ['gateway'],
    http: {
      name: 'revokeOperator',
      method: 'POST',
      path: '/operator/users/:userId/revoke',
      summary: 'Revoke the rights of an operator',
      description: 'The operator keys that the account made end with it. The last operator who can sign in is 409.',
      message: 'The account is no operator.',
    },
  }),

  listAccounts: defineCall({
    subject: 'key.list-accounts',
    request: ListAccounts,
    reply: pageOf(AccountView),
    access: { operator: 'operator:read' },
    callers: ['gateway'],
    http: {
      name: 'listUsers',
      method: 'GET',
      path: '/operator/users',
      summary: 'List the accounts of the platform',
      message: 'Users.',
    },
  }),
  getAccount: defineCall({
    subject: 'key.get-account',
    request: OfAccount,
    reply: AccountView,
    access: { operator: 'operator:read' },
    callers: ['gateway'],
    http: {
      name: 'getUser',
      method: 'GET',
      path: '/operator/users/:userId',
      summary: 'Read an account',
      message: 'The user.',
    },
  }),
  issuePasswordReset: defineCall({
    subject: 'key.issue-password-reset',
    request: OfAccount,
    reply: PasswordResetView,
    errors: ['CONFLICT'],
    idempotent: true,
    access: { operator: 'operator:write', strong: true },
    callers: ['gateway'],
    http: {
      name: 'createPasswordReset',
      method: 'POST',
      path: '/operator/users/:userId/reset-password',
      summary: 'Make a token that resets the password of an account',
      description:
        'The token is shown this once and works for an hour, at `POST /auth/password/reset` or in the console; a new one ends the one before. Nothing changes until it is used. The password of an operator is reset on the machine alone: 409.',
      message: 'Reset token made. Keep it: it is not shown again.',
    },
  }),
  disableAccount: defineCall({
    subject: 'key.disable-account',
    request: OfAccount,
    reply: DisabledAccountView,
    errors: ['CONFLICT'],
    access: { operator: 'operator:write' },
    callers: ['gateway'],
    http: {
      name: 'disableUser',
      method: 'POST',
      path: '/operator/users/:userId/disable',
      summary: 'Disable an account',
      description:
        'Its sign-ins end and its keys open nothing within a second, in all Spaces; its memberships stay. `lastOwnerOf` names the Spaces that have no other OWNER who can sign in. The last operator who can sign in is 409.',
      message: 'The account is disabled.',
    },
  }),
  enableAccount: defineCall({
    subject: 'key.enable-account',
    request: OfAccount,
    reply: AccountView,
    access: { operator: 'operator:write' },
    callers: ['gateway'],
    http: {
      name: 'enableUser',
      method: 'POST',
      path: '/operator/users/:userId/enable',
      summary: 'Enable an account again',
      description: 'Its keys work again. Its sign-ins do not: the person signs in anew.',
      message: 'The account is active.',
    },
  }),

  listEvents: defineCall({
    subject: 'key.list-events',
    request: ListEvents,
    reply: pageOf(PlatformEventView),
    access: { operator: 'operator:read' },
    callers: ['gateway'],
  }),

  listOperatorKeys: defineCall({
    subject: 'key.list-operator-keys',
    request: ListOperatorKeys,
    reply: pageOf(OperatorKeyView),
    access: { operator: 'operator:read' },
    callers: ['gateway'],
    http: {
      name: 'listOperatorKeys',
      method: 'GET',
      path: '/operator/keys',
      summary: 'List the keys of operators',
      message: 'Operator keys.',
    },
  }),
  createOperatorKey: defineCall({
    subject: 'key.create-operator-key',
    request: CreateOperatorKey,
    reply: OperatorKeyWithValue,
    idempotent: true,
    access: { operator: 'operator:write', strong: true },
    callers: ['gateway'],
    http: {
      name: 'createOperatorKey',
      method: 'POST',
      path: '/operator/keys',
      status: 201,
      summary: 'Create a key that opens the routes under /operator',
      description:
        'The answer shows the value, this once. The key ends when its maker is no operator any more. `operator:write` includes `operator:read`.',
      message: 'Operator key created. Keep the value: it is not shown again.',
    },
  }),
  rotateOperatorKey: defineCall({
    subject: 'key.rotate-operator-key',
    request: RotateOperatorKey,
    reply: OperatorKeyWithValue,
    errors: ['CONFLICT'],
    idempotent: true,
    access: { operator: 'operator:write', strong: true },
    callers: ['gateway'],
    http: {
      name: 'rotateOperatorKey',
      method: 'POST',
      path: '/operator/keys/:keyId/rotate',
      summary: 'Give an operator key a new value',
      description: 'The old value works for `graceSeconds` more. The answer shows the new value, this once.',
      message: 'Operator key rotated. Keep the value: it is not shown again.',
      body: RotateApiKeyBody,
    },
  }),
  revokeOperatorKey: defineCall({
    subject: 'key.revoke-operator-key',
    request: OfOperatorKey,
    reply: OperatorKeyView,
    access: { operator: 'operator:write' },
    callers: ['gateway'],
    http: {
      name: 'revokeOperatorKey',
      method: 'POST',
      path: '/operator/keys/:keyId/revoke',
      summary: 'Revoke an operator key',
      description: 'Holds everywhere within a second. Revoking twice is no error.',
      message: 'Operator key revoked.',
    },
  }),
};

export const OperatorStreams = {
  /** All matching events as NDJSON lines, newest first. */
  events: defineStream({
    subject: 'key.stream-events',
    request: ListEvents,
    frame: TextFrame,
    access: { operator: 'operator:read' },
    callers: ['gateway'],
    window: 8,
  }),
};
