import { toast as sonner } from 'sonner';
import { Check, CircleAlert, RotateCw, X } from 'lucide-react';
import { SwitchyardError } from '@switchyard/client';
import { Button } from './button';
import { messageOf } from './errors';
import { ToastBox } from './toasts';

/** Success messages disappear after a moment; errors stay until closed. */
export const toast = {
  done: (text: string): void => {
    sonner.custom(() => (
      <ToastBox>
        <Check className="mt-0.5 size-4 shrink-0 text-good" aria-hidden="true" />
        <span className="min-w-0 wrap-anywhere">{text}</span>
      </ToastBox>
    ));
  },
  /** Once, however many parts are missing. */
  outdated: (): void => {
    sonner.custom(
      () => (
        <ToastBox>
          <RotateCw className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
          <span className="min-w-0 flex-1 wrap-anywhere">
            A part of the console could not be loaded. It may have been updated: save what you wrote, then reload.
          </span>
          <Button size="small" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </ToastBox>
      ),
      { id: 'outdated', duration: Number.POSITIVE_INFINITY },
    );
  },
  failed: (error: unknown): void => {
    const requestId = error instanceof SwitchyardError ? error.requestId : null;
    sonner.custom(
      (id) => (
        <ToastBox>
          <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden="true" />
          <span className="min-w-0 flex-1 wrap-anywhere">
            {messageOf(error)}
            {requestId !== null && <span className="block font-mono text-xs text-faint">request {requestId}</span>}
          </span>
          <Button
            look="ghost"
            size="small"
            aria-label="Close the message"
            icon={<X className="size-4" />}
            onClick={() => sonner.dismiss(id)}
          />
        </ToastBox>
      ),
      { duration: Number.POSITIVE_INFINITY },
    );
  },
};
