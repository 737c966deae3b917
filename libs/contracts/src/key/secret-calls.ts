import { defineCall } from '../define/contracts';
import { ById, Nothing, PageRequest, pageOf } from '../define/shapes';
import {
  CreateSecret,
  DeleteSecret,
  OpenedSecrets,
  SecretNames,
  SecretView,
  SecretWithUsers,
  UnknownSecrets,
  UpdateSecret,
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
  }),
  list: defineCall({
    subject: 'key.list-secrets',
    request: PageRequest,
    reply: pageOf(SecretView),
    access: { scope: 'secrets:read', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  get: defineCall({
    subject: 'key.get-secret',
    request: ById,
    reply: SecretWithUsers,
    errors: ['NOT_FOUND'],
    access: { scope: 'secrets:read', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  update: defineCall({
    subject: 'key.update-secret',
    request: UpdateSecret,
    reply: SecretView,
    errors: ['NOT_FOUND'],
    access: { scope: 'secrets:write', role: 'ADMIN' },
    callers: ['gateway'],
  }),
  remove: defineCall({
    subject: 'key.delete-secret',
    request: DeleteSecret,
    reply: Nothing,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'secrets:write', role: 'ADMIN' },
    callers: ['gateway'],
  }),
  /** Which of these names the Space does not have. */
  check: defineCall({
    subject: 'key.check-secrets',
    request: SecretNames,
    reply: UnknownSecrets,
    access: { scope: 'secrets:read', role: 'MEMBER' },
    callers: ['task', 'agent'],
  }),
  /** The values, for a step or a server that is about to be called. They are never kept. */
  open: defineCall({
    subject: 'key.open-secrets',
    request: SecretNames,
    reply: OpenedSecrets,
    access: 'internal',
    callers: ['task', 'agent'],
    offline: true,
  }),
};
