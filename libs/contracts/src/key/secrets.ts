import { SECRET_NAME_PATTERN } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

export const SECRET_USER_KINDS = ['task', 'agent', 'endpoint'] as const;
export type SecretUserKind = (typeof SECRET_USER_KINDS)[number];

const NAME = f.text({
  min: 1,
  max: 63,
  pattern: SECRET_NAME_PATTERN,
  allows: 'must be 1 to 63 letters, digits and _, and begin with a letter',
});
const VALUE = f.text({ min: 1, max: 8192 });
const HOSTS = f.list(f.text({ min: 1, max: 260 }), { max: 50 });
const HOSTS_TEXT =
  'Where the secret may be sent: names, `*.example.com`, IP addresses, each with an optional port. Empty: anywhere.';

@Described('An agent, a task or an endpoint that uses a secret.')
export class SecretUser {
  @Field(f.oneOf(SECRET_USER_KINDS), { description: 'Kind of the user of the secret.' }) kind!: SecretUserKind;
  @Field(f.id(), { description: 'Id of the agent, task or endpoint.' }) id!: string;
  @Field(f.text()) name!: string;
}

@Described('A secret of a Space, without its value.')
export class SecretView {
  @Field(f.id()) id!: string;
  @Field(f.text(), { example: 'CRM_TOKEN', description: 'Name of the secret. Steps and tools refer to it.' })
  name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.list(f.text()), { description: HOSTS_TEXT }) hosts!: string[];
  @Field(f.int({ min: 1 }), { description: 'Grows with every new value.' }) version!: number;
  @Field(f.id(), { nullable: true }) createdBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time()) updatedAt!: string;
  @Field(f.time(), { nullable: true, description: 'To the minute.' }) lastUsedAt!: string | null;
}

@Described('A secret with the agents, tasks and endpoints that use it.')
export class SecretWithUsers extends SecretView {
  @Field(f.list(f.object(() => SecretUser)), { description: 'The tasks, agents and endpoints that name it.' })
  usedBy!: SecretUser[];
}

@Described('A new secret.')
export class CreateSecret {
  @Field(NAME, { example: 'CRM_TOKEN', description: 'Unique in the Space, ignoring case.' }) name!: string;
  @Field(VALUE, { secret: true, description: '1 byte to 8 KiB of text.' }) value!: string;
  @Field(f.text({ max: 2000 }), { optional: true, nullable: true }) description?: string | null;
  @Field(HOSTS, { optional: true, description: HOSTS_TEXT, example: ['api.example.com'] }) hosts?: string[];
}

@Described('Changes of a secret. Given fields are replaced, the others stay.')
export class UpdateSecretBody {
  @Field(VALUE, {
    secret: true,
    optional: true,
    description: 'A new value holds within a second, also for runs in progress.',
  })
  value?: string;
  @Field(f.text({ max: 2000 }), { optional: true, nullable: true }) description?: string | null;
  @Field(HOSTS, { optional: true, description: HOSTS_TEXT }) hosts?: string[];
}

export class UpdateSecret extends UpdateSecretBody {
  @Field(f.id()) id!: string;
}

export class DeleteSecretQuery {
  @Field(f.queryBool(), {
    optional: true,
    default: false,
    description: 'Also while tasks, agents or endpoints use it.',
  })
  force?: boolean;
}

export class DeleteSecret extends DeleteSecretQuery {
  @Field(f.id()) id!: string;
}

export class SecretNames {
  @Field(f.list(NAME, { max: 200 })) names!: string[];
}

export class UnknownSecrets {
  @Field(f.list(f.text())) unknown!: string[];
}

/** A secret with its value. Unknown names are omitted. */
export class OpenedSecret {
  @Field(f.text()) name!: string;
  @Field(f.text(), { secret: true }) value!: string;
  @Field(f.list(f.text())) hosts!: string[];
}

export class OpenedSecrets {
  @Field(f.list(f.object(() => OpenedSecret))) secrets!: OpenedSecret[];
}

export class SecretName {
  @Field(NAME) name!: string;
}

export class NamedUser {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
}

/** The first hundred of each kind. */
export class SecretUsers {
  @Field(f.list(f.object(() => NamedUser))) users!: NamedUser[];
}
