import { defineCall } from '../define/define-contracts';
import { ById, Deleted, pageOf, PageRequest } from '../define/common-shapes';
import {
  CreateSecret,
  DeleteSecret,
  DeleteSecretQuery,
  OpenedSecrets,
  SecretNames,
  SecretView,
  SecretWithUsers,
  UnknownSecrets,
  UpdateSecret,
  UpdateSecretBody,
} from './secrets';

export const SecretCalls = {
  create: defineCall({
    subject: 'key.create-secret',
    request: CreateSecret,
    reply: SecretView,
    errors: ['CONFLICT'],
    idempotent: true,
    access: { scope: 'secrets:write', role: 'ADMIN' },
    callers: ['gateway'],
    http: {
      name: 'createSecret',
      method: 'POST',
      path: '/secrets',
      status: 201,
      summary: 'Create a secret',
      description:
        'Used as `{{ secrets.NAME }}` in the query of the `url`, the `headers` and the `body` of http steps and in the ' +
        '`headers` of MCP servers and endpoints. The value is never shown again.',
      message: 'Secret created.',
    },
  }),
  list: defineCall({
    subject: 'key.list-secrets',
    request: PageRequest,
    reply: pageOf(SecretView),
    access: { scope: 'secrets:read', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'listSecrets',
      method: 'GET',
      path: '/secrets',
      summary: 'List the secrets of the Space',
      description: 'Without their values.',
      message: 'Secrets.',
    },
  }),
  get: defineCall({
    subject: 'key.get-secret',
    request: ById,
    reply: SecretWithUsers,
    errors: ['NOT_FOUND'],
    access: { scope: 'secrets:read', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'getSecret',
      method: 'GET',
      path: '/secrets/:secretId',
      summary: 'Read a secret',
      description: 'With the tasks, agents and endpoints that use it; without its value.',
      message: 'The secret.',
    },
  }),
  update: defineCall({
    subject: 'key.update-secret',
    request: UpdateSecret,
    reply: SecretView,
    errors: ['NOT_FOUND'],
    access: { scope: 'secrets:write', role: 'ADMIN' },
    callers: ['gateway'],
    http: {
      name: 'updateSecret',
      method: 'PUT',
      path: '/secrets/:secretId',
      summary: 'Change the value, description or hosts of a secret',
      description:
        'Only the given fields change. A new value holds within a second, for runs in progress at their next step.',
      message: 'Secret changed.',
      body: UpdateSecretBody,
    },
  }),
  remove: defineCall({
    subject: 'key.delete-secret',
    request: DeleteSecret,
    reply: Deleted,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'secrets:write', role: 'ADMIN' },
    callers: ['gateway'],
    http: {
      name: 'deleteSecret',
      method: 'DELETE',
      path: '/secrets/:secretId',
      summary: 'Delete a secret',
      description: 'While tasks, agents or endpoints use it, 409 names them; `force=true` deletes it all the same.',
      message: 'Secret deleted.',
      query: DeleteSecretQuery,
    },
  }),
  /** Returns the names that the Space does not have. */
  check: defineCall({
    subject: 'key.check-secrets',
    request: SecretNames,
    reply: UnknownSecrets,
    access: { scope: 'secrets:read', role: 'MEMBER' },
    callers: ['task', 'agent', 'event-bus'],
  }),
  /** Returns the values for a step or server that is about to be called. Never stored. */
  open: defineCall({
    subject: 'key.open-secrets',
    request: SecretNames,
    reply: OpenedSecrets,
    errors: ['SECRET_UNREADABLE'],
    access: 'internal',
    callers: ['task', 'agent', 'event-bus'],
    offline: true,
  }),
};
