import { type ReactNode, useState } from 'react';
import { useBlocker } from '@tanstack/react-router';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { Dialog } from './dialog';
import { CheckField } from './field';

interface Props {
  title: string;
  /** Null: nothing to show. */
  value: string | null;
  label: string;
  onDone: () => void;
  children?: ReactNode;
}

/** A value that the platform shows this once. It cannot be closed by mistake, and is gone from the page afterwards. */
export function OneTimeSecret({ title, value, label, onDone, children }: Props): ReactNode {
  const [isStored, setStored] = useState(false);
  const isShown = value !== null;
  // Back and forward would take it away unseen.
  useBlocker({ shouldBlockFn: () => isShown, enableBeforeUnload: () => isShown });
  const done = (): void => {
    if (!isStored) return;
    setStored(false);
    onDone();
  };
  return (
    <Dialog
      open={value !== null}
      onClose={done}
      title={title}
      description="Store it now: it is shown this once, and cannot be read again."
      wide
    >
      {value !== null && (
        <div className="grid gap-4">
          <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-sunken px-3 py-2.5">
            <code aria-label={label} className="min-w-0 flex-1 basis-60 font-mono text-sm break-all">
              {value}
            </code>
            <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} />
          </div>
          {children}
          <CheckField label="I have stored it" checked={isStored} onChange={setStored} />
          <div className="flex justify-end">
            <Button look="primary" disabled={!isStored} onClick={done}>
              Done
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
