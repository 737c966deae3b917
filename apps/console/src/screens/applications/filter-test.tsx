import { type ReactNode, useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { TestedEmission } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { problemsOf } from '../../ui/errors';
import { JsonField, asObject } from '../../ui/json';
import { Refusal } from '../../ui/note';
import { Time } from '../../ui/time';
import { useAction } from '../../ui/use-action';

/** The filter as typed: empty, a JSON object, or invalid. */
type FilterText = { isValid: true; filter: Record<string, unknown> | null } | { isValid: false };

export function readFilter(text: string): FilterText {
  if (text.trim() === '') return { isValid: true, filter: null };
  const filter = asObject(text);
  return filter === null ? { isValid: false } : { isValid: true, filter };
}

interface Props {
  eventId: string;
  value: string;
  onChange: (text: string) => void;
  /** The refusal of the form that it stands in. */
  error: unknown;
}

interface Tested {
  of: string;
  emissions: TestedEmission[];
}

/** A filter, and what it would have made of the latest emissions before it is saved. */
export function FilterField({ eventId, value, onChange, error }: Props): ReactNode {
  const client = useClient();
  const [tested, setTested] = useState<Tested | null>(null);
  const read = readFilter(value);
  const test = useAction(async () => {
    if (!read.isValid) return;
    setTested({ of: value, emissions: await client.events.testFilter(eventId, read.filter) });
  });
  // A result of an earlier filter does not apply.
  const shown = tested?.of === value ? tested.emissions : null;
  const problem = problemsOf(error, 'filter') ?? problemsOf(test.error, 'filter');
  return (
    <div className="grid gap-2">
      <JsonField
        label="Filter"
        value={value}
        onChange={(text) => {
          onChange(text);
          test.reset();
        }}
        problem={read.isValid ? problem : 'Must be a JSON object.'}
        hint={'Empty: every payload. {"total": {"gte": 100}}: where the total is 100 or more.'}
      />
      <Button
        size="small"
        className="w-fit"
        disabled={!read.isValid || eventId === ''}
        isBusy={test.isBusy}
        onClick={() => void test.run()}
      >
        Test filter
      </Button>
      {problemsOf(test.error, 'filter') === undefined && <Refusal error={test.error} />}
      {shown !== null && <Outcome emissions={shown} />}
    </div>
  );
}

function Outcome({ emissions }: { emissions: readonly TestedEmission[] }): ReactNode {
  if (emissions.length === 0) return <p role="status">The event was not emitted yet: there is nothing to test with.</p>;
  const matched = emissions.filter(({ matches }) => matches).length;
  return (
    <div className="rounded-lg border border-line">
      <p role="status" className="border-b border-line px-3 py-2 font-medium">
        Matches {matched} of the latest {emissions.length} emissions
      </p>
      <ul className="max-h-48 overflow-auto" aria-label="Tested emissions" tabIndex={0}>
        {emissions.map(({ id, emittedAt, matches }) => (
          <li key={id} className="flex flex-wrap items-center gap-3 px-3 py-1">
            <Badge tone={matches ? 'good' : 'none'}>{matches ? 'Matches' : 'No match'}</Badge>
            <Link to={`/events/${id}`} target="_blank" className="text-accent hover:underline">
              Emitted <Time at={emittedAt} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
