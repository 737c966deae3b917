import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button';
import { Json } from '../../ui/json';
import { Refusal } from '../../ui/note';
import { size } from '../../ui/format';
import { useAction } from '../../ui/use-action';
import { isTruncated } from './truncated';

interface Props {
  label: string;
  value: unknown;
  /** Reads all of it. */
  load: () => Promise<ReadableStream<Uint8Array>>;
}

/** JSON of any length: a long one is fetched when it is asked for. */
export function LargeJson({ label, value, load }: Props): ReactNode {
  const [whole, setWhole] = useState<{ value: unknown } | null>(null);
  const fetching = useAction(async () => setWhole({ value: await new Response(await load()).json() }));
  if (whole) return <Json label={label} value={whole.value} />;
  if (!isTruncated(value)) return <Json label={label} value={value} />;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-sunken px-3 py-2">
        <span className="flex-1 text-soft">{size(value.bytes)}</span>
        <Button size="small" isBusy={fetching.isBusy} aria-label={`Load ${label}`} onClick={() => void fetching.run()}>
          Load
        </Button>
      </div>
      <Refusal error={fetching.error} />
    </div>
  );
}
