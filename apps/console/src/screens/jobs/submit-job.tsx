import { type ReactNode, useState } from 'react';
import type { Job } from '@switchyard/client';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useClient } from '../../session/session-context';
import { problemOf } from '../../ui/errors';
import { AreaField, NumberField, SelectField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { useAction } from '../../ui/use-action';
import { useAgentNames } from './use-agent-names';

export function SubmitJob({ onClose, onMade }: { onClose: () => void; onMade: (job: Job) => void }): ReactNode {
  const client = useClient();
  const { agents } = useAgentNames();
  const [chosen, setChosen] = useState('');
  const [message, setMessage] = useState('');
  const [callbackUrl, setCallbackUrl] = useState('');
  const [priority, setPriority] = useState<number | null>(5);
  const [maxAttempts, setMaxAttempts] = useState<number | null>(null);
  const [timeoutSeconds, setTimeoutSeconds] = useState<number | null>(null);
  const agentId = chosen === '' ? (agents[0]?.id ?? '') : chosen;
  const [isRequested, setRequested] = useState(false);
  const isBlank = message.trim() === '';
  const keys = useIdempotencyKey();
  const submit = useAction(
    async () => {
      const request = {
        agentId,
        input: { contents: [{ type: 'text' as const, text: message }] },
        ...(callbackUrl === '' ? {} : { callbackUrl }),
        ...(priority === null ? {} : { priority }),
        ...(maxAttempts === null ? {} : { maxAttempts }),
        ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
      };
      const job = await client.jobs.submit({ ...request, idempotencyKey: keys.keyFor(request) });
      keys.done();
      onMade(job);
    },
    { changes: [['jobs']] },
  );
  return (
    <Form
      submit="Submit job"
      isBusy={submit.isBusy}
      error={submit.error}
      onSubmit={() => {
        setRequested(isBlank);
        if (!isBlank) void submit.run();
      }}
      onCancel={onClose}
      canSubmit={agentId !== ''}
    >
      <SelectField
        label="Agent"
        value={agentId}
        onChange={setChosen}
        options={agents.map(({ id, name }) => ({ value: id, label: name }))}
        problem={problemOf(submit.error, 'agentId')}
        hint={agents.length === 0 ? 'There is no agent in this Space yet.' : undefined}
      />
      <AreaField
        label="Message"
        value={message}
        onChange={setMessage}
        problem={isRequested && isBlank ? 'Enter a message.' : problemOf(submit.error, 'input')}
      />
      <TextField
        label="Callback"
        type="url"
        value={callbackUrl}
        onChange={setCallbackUrl}
        placeholder="https://"
        problem={problemOf(submit.error, 'callbackUrl')}
        hint="Gets one signed POST when the job has ended."
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <NumberField
          label="Priority"
          min={0}
          max={9}
          value={priority}
          onChange={setPriority}
          problem={problemOf(submit.error, 'priority')}
          hint="9 runs first."
        />
        <NumberField
          label="Attempts"
          min={1}
          max={10}
          placeholder="Default"
          value={maxAttempts}
          onChange={setMaxAttempts}
          problem={problemOf(submit.error, 'maxAttempts')}
          hint="The first included."
        />
        <NumberField
          label="Timeout"
          min={1}
          max={86_400}
          placeholder="Default"
          value={timeoutSeconds}
          onChange={setTimeoutSeconds}
          problem={problemOf(submit.error, 'timeoutSeconds')}
          hint="Seconds, for all attempts."
        />
      </div>
    </Form>
  );
}
