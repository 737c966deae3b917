import type { ReactNode, SyntheticEvent } from 'react';
import { Button } from './button';
import { Refusal } from './note';
import { useRefusedField } from './use-refused-field';

interface Props {
  /** The button that sends it. */
  submit: string;
  isBusy: boolean;
  error: unknown;
  onSubmit: () => unknown;
  onCancel?: (() => void) | undefined;
  canSubmit?: boolean;
  children: ReactNode;
}

/** After an error the input stays, and the error is shown above the button. */
export function Form({ submit, isBusy, error, onSubmit, onCancel, canSubmit = true, children }: Props): ReactNode {
  const form = useRefusedField<HTMLFormElement>(error);
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    // A form within a dialog must not send one around it.
    event.stopPropagation();
    if (!isBusy && canSubmit) onSubmit();
  };
  return (
    <form ref={form} onSubmit={send} className="grid gap-4" noValidate>
      {children}
      <Refusal error={error} />
      {/* In a dialog that is longer than the window they stay in view. */}
      <div className="flex justify-end gap-2 [[role=dialog]_&]:sticky [[role=dialog]_&]:-bottom-5 [[role=dialog]_&]:z-10 [[role=dialog]_&]:-my-3 [[role=dialog]_&]:bg-raised [[role=dialog]_&]:py-3">
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" look="primary" isBusy={isBusy} disabled={!canSubmit}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
