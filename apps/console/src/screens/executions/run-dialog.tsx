import { type ReactNode, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Execution } from '@switchyard/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { messageOf } from '../../ui/errors';
import { JsonField, asObject } from '../../ui/json';

interface Props {
  deed: 'Run' | 'Rerun';
  title: string;
  inputs: Record<string, unknown>;
  run: (inputs: Record<string, unknown>) => Promise<Execution>;
  onClose: () => void;
}

/** With the inputs that are given here; what it starts is opened. */
export function RunDialog({ deed, title, inputs, run, onClose }: Props): ReactNode {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [text, setText] = useState(() => JSON.stringify(inputs, null, 2));
  const value = asObject(text);
  const start = useMutation({
    mutationFn: () => run(value ?? {}),
    onSuccess: async ({ id }) => {
      onClose();
      void queries.invalidateQueries({ queryKey: ['executions'] });
      await navigate({ to: `/executions/${id}` });
    },
  });
  return (
    <Dialog open onClose={onClose} title={title}>
      <JsonField
        label="Inputs"
        value={text}
        onChange={setText}
        problem={value === null ? 'This is no JSON object yet.' : undefined}
      />
      {start.error && (
        <p role="alert" className="mt-3 rounded-lg bg-bad-soft px-3 py-2 text-bad">
          {messageOf(start.error)}
        </p>
      )}
      <div className="mt-4 flex justify-end">
        <Button look="primary" disabled={value === null} isBusy={start.isPending} onClick={() => start.mutate()}>
          {deed}
        </Button>
      </div>
    </Dialog>
  );
}
