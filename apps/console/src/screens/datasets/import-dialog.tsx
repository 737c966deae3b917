import { type ReactNode, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Dataset, type ImportJob, SwitchyardError } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { messageOf } from '../../ui/errors';
import { Field, SelectField } from '../../ui/field';
import { Form } from '../../ui/form';
import { number } from '../../ui/format';
import { useAction } from '../../ui/use-action';
import { ImportProgress, isOver } from './import-progress';
import { type RefusedLine, refusedLines } from './refused-lines';

type Format = 'csv' | 'ndjson';

const POLL_MS = 1_000;
const formatOf = (name: string): Format => (/\.(csv|tsv)$/iu.test(name) ? 'csv' : 'ndjson');

export function ImportDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<Format>('csv');
  const [refused, setRefused] = useState<RefusedLine[]>([]);
  const [inserted, setInserted] = useState<number | null>(null);
  const [job, setJob] = useState<ImportJob | null>(null);
  const send = useAction(
    async (content: File) => {
      setRefused([]);
      try {
        const answer = await client.datasets.import(dataset.id, { content, format });
        if ('phase' in answer) setJob(answer);
        else setInserted(answer.inserted);
      } catch (error) {
        if (error instanceof SwitchyardError) setRefused(await refusedLines(error, content));
        throw error;
      }
    },
    { changes: [['datasets']] },
  );
  const latest = useQuery({
    queryKey: ['imports', job?.id],
    queryFn: async () => {
      const now = await client.datasets.getImport(dataset.id, job?.id ?? '');
      if (isOver(now)) void queries.invalidateQueries({ queryKey: ['datasets'] });
      return now;
    },
    enabled: job !== null,
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : POLL_MS),
  });
  const done = (
    <div className="mt-4 flex justify-end">
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  );
  return (
    <Dialog open onClose={onClose} title="Import" description="All records of a file are imported, or none." wide>
      {job !== null ? (
        <>
          <ImportProgress job={latest.data ?? job} />
          <p className="mt-3 text-sm text-faint">It goes on when this is closed: see “Imports”.</p>
          {done}
        </>
      ) : inserted !== null ? (
        <>
          <p role="status">{number(inserted)} records are imported.</p>
          {done}
        </>
      ) : (
        <Form
          submit="Import"
          isBusy={send.isBusy}
          canSubmit={file !== null}
          error={refused.length > 0 ? null : send.error}
          onSubmit={() => file && send.run(file)}
          onCancel={onClose}
        >
          <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
            <Field label="File" hint="CSV whose first line names the fields, or NDJSON as an export gives it.">
              {(wiring) => (
                <input
                  {...wiring}
                  type="file"
                  accept=".csv,.ndjson,.jsonl,.json,text/csv,application/x-ndjson"
                  className="control py-1"
                  onChange={(event) => {
                    const next = event.target.files?.[0] ?? null;
                    setFile(next);
                    setRefused([]);
                    send.reset();
                    if (next) setFormat(formatOf(next.name));
                  }}
                />
              )}
            </Field>
            <SelectField
              label="Format"
              value={format}
              onChange={(next) => setFormat(next === 'csv' ? 'csv' : 'ndjson')}
              options={[
                { value: 'csv', label: 'CSV' },
                { value: 'ndjson', label: 'NDJSON' },
              ]}
            />
          </div>
          {send.isBusy && (
            <div role="progressbar" aria-label="The file is sent and checked" className="shimmer h-2 rounded-full" />
          )}
          {refused.length > 0 && (
            <div role="alert" className="grid gap-2 rounded-lg bg-bad-soft p-3">
              <p className="text-bad">Nothing is imported: {messageOf(send.error)}</p>
              <table aria-label="Refused lines" className="w-full text-left text-sm">
                <thead>
                  <tr className="text-faint">
                    <th scope="col" className="pr-3">
                      Line
                    </th>
                    <th scope="col" className="pr-3">
                      Field
                    </th>
                    <th scope="col">Why</th>
                  </tr>
                </thead>
                <tbody>
                  {refused.map(({ line, field, why, text }) => (
                    <tr key={`${line}-${field}`} className="align-top">
                      <td className="pr-3 tabular-nums">{number(line)}</td>
                      <td className="pr-3 font-mono">{field}</td>
                      <td className="wrap-anywhere">
                        {why}
                        {text !== '' && (
                          <code className="mt-1 block rounded bg-surface p-1 font-mono text-xs break-all" dir="auto">
                            {text}
                          </code>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Form>
      )}
    </Dialog>
  );
}
