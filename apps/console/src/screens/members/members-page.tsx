import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Member, NewMember, Role } from '@switchyard/client';
import { Pencil, UserPlus, Users } from 'lucide-react';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useList } from '../../api/use-list';
import { invitationLink } from '../../session/invitation-link';
import { isAtLeast, useClient, useMay, useSession } from '../../session/session-context';
import { StatusBadge, wordsOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { SelectField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { exactTime } from '../../ui/format';
import { Page } from '../../ui/page';
import { OneTimeSecret } from '../../ui/one-time-secret';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';

const ROLES: readonly Role[] = ['VIEWER', 'MEMBER', 'ADMIN', 'OWNER'];
const asOptions = (roles: readonly Role[]) => roles.map((role) => ({ value: role, label: wordsOf(role) }));

export function MembersPage(): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const { space, user } = useSession();
  const mayWrite = useMay('ADMIN');
  // A person cannot give more rights than they have.
  const mine = ROLES.filter((role) => isAtLeast(space.role, role));
  const [isAdding, setAdding] = useState(false);
  const [invitation, setInvitation] = useState<Member['invitation'] | null>(null);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [changing, setChanging] = useState<Member | null>(null);
  const list = useList(['members', space.id], (cursor) =>
    client.spaces.members(space.id, { limit: 100, ...(cursor ? { cursor } : {}) }),
  );
  const remove = async (member: Member): Promise<void> => {
    await client.spaces.removeMember(space.id, member.userId);
    toast.done(`${member.email} was removed.`);
    await queries.invalidateQueries({ queryKey: ['members'] });
  };
  const mayChange = (member: Member): boolean =>
    mayWrite && member.userId !== user.id && isAtLeast(space.role, member.role);
  const columns: Column<Member>[] = [
    {
      name: 'Member',
      cell: ({ name, email }) => (
        <>
          <span className="block truncate font-medium stacked:whitespace-normal" dir="auto">
            {name === '' ? email : name}
          </span>
          {name !== '' && <span className="block truncate text-sm text-soft stacked:whitespace-normal">{email}</span>}
        </>
      ),
    },
    { name: 'State', saysItself: true, width: '7rem', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      name: 'Role',
      saysItself: true,
      width: '8rem',
      cell: (member) =>
        mayChange(member) && member.status === 'ACTIVE' ? (
          <span className="inline-flex items-center gap-1">
            {wordsOf(member.role)}
            <Button
              size="small"
              look="ghost"
              aria-label={`Change role of ${member.email}`}
              icon={<Pencil className="size-3.5" aria-hidden="true" />}
              onClick={() => setChanging(member)}
            />
          </span>
        ) : (
          wordsOf(member.role)
        ),
    },
    { name: 'Since', width: '6rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: 'Actions',
      saysItself: true,
      width: '7.5rem',
      align: 'right',
      cell: (member) =>
        mayChange(member) && (
          <Button size="small" look="danger" onClick={() => setLeaving(member)}>
            {member.status === 'INVITED' ? 'Withdraw' : 'Remove'}
          </Button>
        ),
    },
  ];
  const add = mayWrite && (
    <Button look="primary" icon={<UserPlus className="size-4" aria-hidden="true" />} onClick={() => setAdding(true)}>
      Add member
    </Button>
  );
  return (
    <Page title="Members" description="People in this Space and their roles." actions={add}>
      <Table
        name="Members"
        list={list}
        columns={columns}
        keyOf={({ userId }) => userId}
        empty={
          <Empty title="No members" icon={<Users className="size-5" aria-hidden="true" />}>
            Invite people by e-mail with “Add member”.
          </Empty>
        }
      />
      <Dialog open={isAdding} onClose={() => setAdding(false)} title="Add member">
        <AddMember
          roles={mine}
          onClose={() => setAdding(false)}
          onAdded={(member) => {
            setAdding(false);
            setInvitation(member.invitation ?? null);
            // The answer to the first request was lost, and its repeat comes without the token.
            if (member.status === 'INVITED' && !member.invitation)
              toast.failed(
                `${member.email} is invited, but the link cannot be shown again. Withdraw it and invite again.`,
              );
          }}
        />
      </Dialog>
      <OneTimeSecret
        title="Invitation"
        label="Invitation"
        value={invitation ? invitationLink(invitation.token) : null}
        onDone={() => setInvitation(null)}
      >
        {invitation && (
          <p className="text-soft">
            Send this link to the person: there they choose their password. It works once, until{' '}
            {exactTime(invitation.expiresAt)}.
          </p>
        )}
      </OneTimeSecret>
      {changing && <ChangeRole member={changing} roles={mine} onClose={() => setChanging(null)} />}
      <ConfirmDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        action={leaving?.status === 'INVITED' ? 'Withdraw invitation' : 'Remove member'}
        onConfirm={async () => leaving && remove(leaving)}
      >
        {leaving?.status === 'INVITED'
          ? `The invitation of ${leaving.email} stops working.`
          : `${leaving?.email} loses access immediately, with all sign-ins and keys in this Space.`}
      </ConfirmDialog>
    </Page>
  );
}

interface ChangeProps {
  member: Member;
  roles: readonly Role[];
  onClose: () => void;
}

/** A role is given by a button: the arrows of a select alone change nothing. */
function ChangeRole({ member, roles, onClose }: ChangeProps): ReactNode {
  const client = useClient();
  const { space } = useSession();
  const [role, setRole] = useState<Role>(member.role);
  const change = useAction(() => client.spaces.changeRole(space.id, member.userId, role), {
    changes: [['members']],
    done: `${member.email}: role changed to ${wordsOf(role)}.`,
  });
  const submit = async (): Promise<void> => {
    if (await change.run()) onClose();
  };
  return (
    <Dialog open onClose={onClose} title="Change role" description={member.email}>
      <Form
        submit="Change role"
        isBusy={change.isBusy}
        error={change.error}
        onSubmit={submit}
        onCancel={onClose}
        canSubmit={role !== member.role}
      >
        <SelectField
          label="Role"
          value={role}
          onChange={(next) => setRole(next as Role)}
          options={asOptions(roles)}
          problem={problemOf(change.error, 'role')}
        />
      </Form>
    </Dialog>
  );
}

interface AddProps {
  roles: readonly Role[];
  onClose: () => void;
  onAdded: (member: Member) => void;
}

function AddMember({ roles, onClose, onAdded }: AddProps): ReactNode {
  const client = useClient();
  const { space } = useSession();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('MEMBER');
  const [password, setPassword] = useState('');
  const member: NewMember = { email, role, ...(password === '' ? {} : { password }) };
  const keys = useIdempotencyKey();
  const add = useAction(
    async () => onAdded(await client.spaces.addMember(space.id, member, { idempotencyKey: keys.keyFor(member) })),
    { changes: [['members']], done: password === '' ? `${email} invited.` : `${email} added.` },
  );
  return (
    <Form submit="Add member" isBusy={add.isBusy} error={add.error} onSubmit={add.run} onCancel={onClose}>
      <TextField
        label="E-mail"
        type="email"
        value={email}
        onChange={setEmail}
        problem={problemOf(add.error, 'email')}
      />
      <SelectField
        label="Role"
        value={role}
        onChange={(next) => setRole(next as Role)}
        options={asOptions(roles)}
        problem={problemOf(add.error, 'role')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        problem={problemOf(add.error, 'password')}
        hint="Empty: you get a link for the person, who chooses one. With a password, the account is created now."
      />
    </Form>
  );
}
