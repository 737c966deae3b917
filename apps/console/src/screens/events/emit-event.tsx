import { type ReactNode, useMemo, useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { RegisteredEvent } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { problemsOf } from '../../ui/errors';
import { SelectField } from '../../ui/field';
import { Form } from '../../ui/form';
import { Json, JsonField, asObject } from '../../ui/json';
import { ErrorState, Loading } from '../../ui/states';
import { useAction } from '../../ui/use-action';
import { fieldsOf } from './payload-fields';
import { PayloadForm } from './payload-form';
import { sampleOf } from './sample-payload';
import { useRegisteredEvents } from './use-registered-events';

interface Props {
  onClose: () => void;
  /** The one to begin with. */
  eventId?: string | undefined;
}

/** Emits in the name of the application; what came of it is opened. */
export function EmitEvent({ onClose, eventId }: Props): ReactNode {
  const events = useRegisteredEvents();
  return (
    <Dialog
      open
      onClose={onClose}
      title="Emit event"
      description="In the name of its application, with you as the actor. Tasks that subscribe to it run."
      wide
    >
      {events.error ? (
        <ErrorState error={events.error} onRetry={() => void events.refetch()} />
      ) : events.data === undefined ? (
        <Loading label="Loading the events" />
      ) : events.data.length === 0 ? (
        <p className="text-soft">No installed application declares an event yet. Install one under Applications.</p>
      ) : (
        <Fields events={events.data} eventId={eventId} onClose={onClose} />
      )}
    </Dialog>
  );
}

const textOf = (event: RegisteredEvent | undefined): string => JSON.stringify(sampleOf(event?.schema) ?? {}, null, 2);

function Fields({ events, eventId, onClose }: Props & { events: RegisteredEvent[] }): ReactNode {
  const client = useClient();
  const navigate = useNavigate();
  const [chosenId, setChosen] = useState(() => eventId ?? events[0]?.id ?? '');
  const chosen = events.find(({ id }) => id === chosenId);
  const [text, setText] = useState(() => textOf(chosen));
  // The same again, after an answer that was lost, emits nothing twice; another payload is another emission.
  const [idempotencyKey, setKey] = useState(() => crypto.randomUUID());
  const payload = asObject(text);
  const fields = useMemo(() => fieldsOf(chosen?.schema), [chosen]);
  const [isJson, setJson] = useState(false);
  const isForm = !isJson && fields.length > 0;
  const emit = useAction(
    async () => {
      const { envelopeId } = await client.events.emitByHand(chosenId, { payload: payload ?? {}, idempotencyKey });
      onClose();
      await navigate({ to: '/events/$envelopeId', params: { envelopeId } });
    },
    { changes: [['events', 'list']] },
  );
  const write = (next: string): void => {
    setText(next);
    setKey(crypto.randomUUID());
  };
  const choose = (id: string): void => {
    setChosen(id);
    write(textOf(events.find((event) => event.id === id)));
    emit.reset();
  };
  return (
    <Form
      submit="Emit event"
      isBusy={emit.isBusy}
      error={emit.error}
      onSubmit={emit.run}
      onCancel={onClose}
      canSubmit={payload !== null && chosen !== undefined}
    >
      <SelectField
        label="Event"
        value={chosenId}
        onChange={choose}
        options={events.map(({ id, name, appIdentifier }) => ({ value: id, label: `${name} (${appIdentifier})` }))}
        hint={chosen?.description ?? undefined}
      />
      {fields.length > 0 && (
        <div role="group" aria-label="View" className="flex gap-1">
          <Button size="small" aria-pressed={!isJson} disabled={payload === null} onClick={() => setJson(false)}>
            Form
          </Button>
          <Button size="small" aria-pressed={isJson} onClick={() => setJson(true)}>
            JSON
          </Button>
        </div>
      )}
      {isForm && payload !== null ? (
        <>
          <PayloadForm
            key={chosenId}
            fields={fields}
            payload={payload}
            onChange={(next) => write(JSON.stringify(next, null, 2))}
            error={emit.error}
          />
          <details>
            <summary className="text-sm text-faint">Payload as JSON</summary>
            <Json label="Payload as JSON" value={payload} />
          </details>
        </>
      ) : (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <JsonField
            label="Payload"
            value={text}
            onChange={write}
            rows={10}
            problem={payload === null ? 'Must be a JSON object.' : problemsOf(emit.error, 'payload')}
          />
          <div className="grid content-start gap-1">
            <span className="text-sm font-medium">Schema</span>
            <Json label="Schema" value={chosen?.schema} />
          </div>
        </div>
      )}
    </Form>
  );
}
