import { type ReactNode, useState } from 'react';
import type { Member, NewMember, Role } from '@switchyard/client';
import { UserPlus, Users } from 'lucide-react';
import { queries } from '../../api/queries';
import { useList } from '../../api/use-list';
import { isAtLeast, useClient, useMay, useSession } from '../../session/session-context';
import { StatusBadge, wordsOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { SelectField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { exactTime } from '../../ui/format';
import { Page } from '../../ui/page';
import { ShownOnce } from '../../ui/shown-once';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { useDeed } from '../../ui/use-deed';

const ROLES: readonly Role[] = ['VIEWER', 'MEMBER', 'ADMIN', 'OWNER'];
const asOptions = (roles: readonly Role[]) => roles.map((role) => ({ value: role, label: wordsOf(role) }));

export function MembersPage(): ReactNode {
  const client = useClient();
  const { space, user } = useSession();
  const mayWrite = useMay('ADMIN');
  // Nobody gives more than they have.
  const mine = ROLES.filter((role) => isAtLeast(space.role, role));
  const [isAdding, setAdding] = useState(false);
  const [invitation, setInvitation] = useState<Member['invitation'] | null>(null);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const list = useList(['members', space.id], (cursor) =>
    client.spaces.members(space.id, { limit: 100, ...(cursor ? { cursor } : {}) }),
  );
  const changeRole = useDeed((id: string, role: Role) => client.spaces.changeRole(space.id, id, role), {
    changes: [['members']],
    done: 'The role is changed.',
    saysRefusal: true,
  });
  const remove = async (member: Member): Promise<void> => {
    await client.spaces.removeMember(space.id, member.userId);
    toast.done(`${member.email} is out.`);
    await queries.invalidateQueries({ queryKey: ['members'] });
  };
  const mayChange = (member: Member): boolean =>
    mayWrite && member.userId !== user.id && isAtLeast(space.role, member.role);
  const columns: Column<Member>[] = [
    {
      name: 'Member',
      cell: ({ name, email }) => (
        <>
          <span className="font-medium">{name === '' ? email : name}</span>{' '}
          {name !== '' && <span className="text-soft">{email}</span>}
        </>
      ),
    },
    { name: 'State', width: '8rem', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      name: 'Role',
      width: '10rem',
      cell: (member) =>
        mayChange(member) && member.status === 'ACTIVE' ? (
          <SelectField
            label={`Role of ${member.email}`}
            hideLabel
            value={member.role}
            onChange={(role) => void changeRole.run(member.userId, role as Role)}
            options={asOptions(mine)}
          />
        ) : (
          wordsOf(member.role)
        ),
    },
    { name: 'Since', width: '8rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: 'Actions',
      width: '8rem',
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
    <Page title="Members" description="Who works in this Space, and what they may do." actions={add}>
      <Table
        name="Members"
        list={list}
        columns={columns}
        keyOf={({ userId }) => userId}
        empty={
          <Empty title="Nobody here" icon={<Users className="size-5" aria-hidden="true" />} action={add}>
            People are invited by their address.
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
          }}
        />
      </Dialog>
      <ShownOnce
        title="Invitation"
        label="Invitation"
        value={invitation?.token ?? null}
        onDone={() => setInvitation(null)}
      >
        {invitation && (
          <p className="text-soft">Give it to the person. It works once, until {exactTime(invitation.expiresAt)}.</p>
        )}
      </ShownOnce>
      <ConfirmDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        deed={leaving?.status === 'INVITED' ? 'Withdraw invitation' : 'Remove member'}
        onConfirm={async () => leaving && remove(leaving)}
      >
        {leaving?.email} loses this Space at once, with all sign-ins and keys in it.
      </ConfirmDialog>
    </Page>
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
  const add = useDeed(async () => onAdded(await client.spaces.addMember(space.id, member)), {
    changes: [['members']],
    done: `${email} is added.`,
  });
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
        hint="Empty: the person is invited, and chooses one. With a password the account is made now."
      />
    </Form>
  );
}
