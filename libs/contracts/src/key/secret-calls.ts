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
    errors: ['CONFLICT', 'VALIDATION_ERROR'],
    callers: ['gateway'],
  }),
  list: defineCall({
    subject: 'key.list-secrets',
    request: PageRequest,
    reply: pageOf(SecretView),
    callers: ['gateway'],
  }),
  get: defineCall({
    subject: 'key.get-secret',
    request: ById,
    reply: SecretWithUsers,
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
  }),
  update: defineCall({
    subject: 'key.update-secret',
    request: UpdateSecret,
    reply: SecretView,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
    callers: ['gateway'],
  }),
  remove: defineCall({
    subject: 'key.delete-secret',
    request: DeleteSecret,
    reply: Nothing,
    errors: ['NOT_FOUND', 'CONFLICT'],
    callers: ['gateway'],
  }),
  /** Which of these names the Space does not have. */
  check: defineCall({
    subject: 'key.check-secrets',
    request: SecretNames,
    reply: UnknownSecrets,
    callers: ['task', 'agent'],
  }),
  /** The values, for a step or a server that is about to be called. They are never kept. */
  open: defineCall({
    subject: 'key.open-secrets',
    request: SecretNames,
    reply: OpenedSecrets,
    callers: ['task', 'agent'],
    offline: true,
  }),
};
