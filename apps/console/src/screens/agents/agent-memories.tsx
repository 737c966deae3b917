import { type ReactNode, useState } from 'react';
import type { Memory } from '@switchyard/client';
import { Pencil, Trash2 } from 'lucide-react';
import { useList } from '../../api/use-list';
import { useClient, useMay, useSession } from '../../session/session-context';
import { Button } from '../../ui/button';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { AreaField, CheckField } from '../../ui/field';
import { Form } from '../../ui/form';
import { shortId } from '../../ui/format';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { useAction } from '../../ui/use-action';

type Open = { action: 'edit' | 'delete'; memory: Memory } | { action: 'delete-all' } | null;

/** The agent's memories about the current user. An admin may read all of them, and change their own. */
export function AgentMemories({ agentId }: { agentId: string }): ReactNode {
  const client = useClient();
  const { user } = useSession();
  const isAdmin = useMay('ADMIN');
  const [isOfAll, setOfAll] = useState(false);
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const key = ['agent', agentId, 'memories'];
  const list = useList([...key, isOfAll], (cursor) =>
    client.agents.memories(agentId, { limit: 50, cursor, ...(isOfAll ? { allUsers: true } : {}) }),
  );
  const columns: Column<Memory>[] = [
    {
      name: 'Memory',
      cell: ({ text }) => (
        <span className="break-words whitespace-normal" dir="auto">
          {text}
        </span>
      ),
    },
    ...(isOfAll
      ? [
          {
            name: 'User',
            width: '9rem',
            cell: ({ userId }: Memory) => (
              <span className="font-mono text-xs text-faint">{userId === user.id ? 'you' : shortId(userId)}</span>
            ),
          },
        ]
      : []),
    { name: 'Changed', width: '8rem', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    {
      name: 'Actions',
      saysItself: true,
      width: '6rem',
      align: 'right',
      cell: (memory) =>
        memory.userId === user.id && (
          <span className="inline-flex gap-1">
            <Button
              size="small"
              look="ghost"
              aria-label="Edit memory"
              icon={<Pencil className="size-4" aria-hidden="true" />}
              onClick={() => setOpen({ action: 'edit', memory })}
            />
            <Button
              size="small"
              look="ghost"
              aria-label="Delete memory"
              icon={<Trash2 className="size-4" aria-hidden="true" />}
              onClick={() => setOpen({ action: 'delete', memory })}
            />
          </span>
        ),
    },
  ];
  return (
    <Section
      title="Memories"
      actions={
        <>
          {isAdmin && <CheckField label="Of all users" checked={isOfAll} onChange={setOfAll} />}
          {list.rows.some(({ userId }) => userId === user.id) && (
            <Button size="small" look="danger" onClick={() => setOpen({ action: 'delete-all' })}>
              Delete mine
            </Button>
          )}
        </>
      }
    >
      <Table
        name="Memories"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        height="20rem"
        empty={<p className="text-faint">{isOfAll ? 'No memories.' : 'This agent remembers nothing about you.'}</p>}
      />
      {open?.action === 'edit' && (
        <EditMemory key={open.memory.id} memory={open.memory} changes={key} onClose={close} />
      )}
      <ConfirmDialog
        open={open?.action === 'delete'}
        onClose={close}
        action="Delete memory"
        onConfirm={async () =>
          open?.action === 'delete' && client.agents.removeMemory(agentId, open.memory.id).then(list.retry)
        }
      >
        The agent forgets this.
      </ConfirmDialog>
      <ConfirmDialog
        open={open?.action === 'delete-all'}
        onClose={close}
        action="Delete my memories"
        onConfirm={() => client.agents.removeMemories(agentId).then(list.retry)}
      >
        The agent forgets everything about you.
      </ConfirmDialog>
    </Section>
  );
}

interface EditProps {
  memory: Memory;
  changes: readonly string[];
  onClose: () => void;
}

function EditMemory({ memory, changes, onClose }: EditProps): ReactNode {
  const client = useClient();
  const [text, setText] = useState(memory.text);
  const save = useAction(() => client.agents.correctMemory(memory.agentId, memory.id, { text }), {
    changes: [changes],
    done: 'Memory saved.',
  });
  const submit = async (): Promise<void> => {
    if (await save.run()) onClose();
  };
  return (
    <Dialog open onClose={onClose} title="Edit memory" isDirty={text !== memory.text && !save.isBusy}>
      <Form
        submit="Save memory"
        isBusy={save.isBusy}
        error={save.error}
        onSubmit={submit}
        onCancel={onClose}
        canSubmit={text !== memory.text}
      >
        <AreaField label="Text" value={text} onChange={setText} problem={problemOf(save.error, 'text')} />
      </Form>
    </Dialog>
  );
}
