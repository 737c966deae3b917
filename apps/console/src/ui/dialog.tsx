import type { ReactNode } from 'react';
import { useState } from 'react';
import { Dialog as Radix } from 'radix-ui';
import { X } from 'lucide-react';
import { Button } from './button';
import { classes } from './class-names';
import { messageOf } from './errors';

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  wide?: boolean;
}

export function Dialog({ open, onClose, title, description, children, wide = false }: Props): ReactNode {
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(10_10_20/0.45)] backdrop-blur-[1px]" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className={classes(
            'fixed top-1/2 left-1/2 z-50 flex max-h-[min(90dvh,52rem)] w-[calc(100vw-1.5rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-2xl border border-line bg-raised shadow-high outline-none',
            wide ? 'max-w-3xl' : 'max-w-lg',
          )}
        >
          <div className="flex items-start gap-3 px-5 pt-4.5 pb-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-0.5 text-soft">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <Button look="ghost" size="small" aria-label="Close" icon={<X className="size-4" />} />
            </Radix.Close>
          </div>
          <div className="min-h-0 overflow-y-auto px-5 pb-5">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  /** The deed: "Delete agent". It names the dialog and its button. */
  deed: string;
  /** What goes. */
  children: ReactNode;
  onConfirm: () => Promise<unknown>;
}

export function ConfirmDialog({ open, onClose, deed, children, onConfirm }: ConfirmProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open={open} onClose={onClose} title={deed}>
      <div className="text-soft">{children}</div>
      {problem !== null && (
        <p role="alert" className="mt-3 rounded-lg bg-bad-soft px-3 py-2 text-bad">
          {problem}
        </p>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Keep</Button>
        <Button look="danger" isBusy={isBusy} onClick={() => void confirm()}>
          {deed}
        </Button>
      </div>
    </Dialog>
  );
}
