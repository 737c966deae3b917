import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog as Radix } from 'radix-ui';
import { X } from 'lucide-react';
import { Button } from './button';
import { classes } from './class-names';
import { Note, Refusal } from './note';
import { useAction } from './use-action';
import { useReturnFocus } from './use-return-focus';

interface Props extends OpenProps {
  open: boolean;
}

interface OpenProps {
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  wide?: boolean;
  /**
   * Something is written in it that closing would lose: it asks first. Once something was typed into it, unless given.
   */
  isDirty?: boolean;
  /** It goes by what is in it alone: no button closes it. */
  isFixed?: boolean;
}

export function Dialog({ open, ...props }: Props): ReactNode {
  return open && <OpenDialog {...props} />;
}

function OpenDialog(props: OpenProps): ReactNode {
  const { onClose, title, description, children, wide = false, isFixed = false } = props;
  const returnFocus = useReturnFocus();
  const body = useRef<HTMLDivElement>(null);
  const closes = useRef<HTMLButtonElement>(null);
  const [isTouched, setTouched] = useState(false);
  const isDirty = props.isDirty ?? isTouched;
  const [isAsking, setAsking] = useState(false);
  if (isAsking && !isDirty) setAsking(false);
  const hasBegun = useRef(false);
  /** Focuses the first field of the body instead of the close button. */
  const begin = (): boolean => {
    const first = body.current?.querySelector<HTMLElement>(FOCUSABLE);
    if (!first) return false;
    hasBegun.current = true;
    first.focus();
    return true;
  };
  // The body may appear later, when its data has loaded.
  useEffect(() => {
    if (!hasBegun.current && closes.current === document.activeElement) begin();
  });
  const close = (): void => {
    if (isDirty) setAsking(true);
    else onClose();
  };
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && close()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(10_10_20/0.45)] backdrop-blur-[1px]" />
        <Radix.Content
          {...returnFocus}
          onOpenAutoFocus={(event) => {
            if (begin()) event.preventDefault();
          }}
          onInput={({ target }) => setTouched(isTouched || !isSearch(target))}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className={classes(
            'fixed top-1/2 left-1/2 z-50 flex max-h-[min(90dvh,52rem)] w-[calc(100vw-1.5rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-2xl border border-line bg-raised shadow-high outline-none',
            wide ? 'max-w-3xl' : 'max-w-lg',
          )}
        >
          <div className="flex items-start gap-3 px-5 pt-4.5 pb-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold wrap-anywhere" dir="auto">
                {title}
              </Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-0.5 wrap-anywhere text-soft">{description}</Radix.Description>
              )}
            </div>
            {!isFixed && (
              <Radix.Close asChild>
                <Button ref={closes} look="ghost" size="small" aria-label="Close" icon={<X className="size-4" />} />
              </Radix.Close>
            )}
          </div>
          {isAsking && (
            <Note
              tone="bad"
              className="mx-5 mb-3"
              action={
                <span className="flex gap-2">
                  <Button size="small" autoFocus onClick={() => setAsking(false)}>
                    Stay
                  </Button>
                  <Button size="small" look="danger" onClick={onClose}>
                    Close without saving
                  </Button>
                </span>
              }
            >
              What you wrote here is not saved.
            </Note>
          )}
          <div ref={body} className="min-h-0 scroll-pb-16 overflow-y-auto px-5 pb-5">
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const FOCUSABLE = 'input:enabled, select:enabled, textarea:enabled, button:enabled';

/** A search term is not unsaved work. */
const isSearch = (target: EventTarget): boolean =>
  target instanceof HTMLInputElement && (target.type === 'search' || target.type === 'checkbox');

interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  /** The deed: "Delete agent". It names the dialog and its button. */
  action: string;
  /** Describes what is deleted. */
  children: ReactNode;
  onConfirm: () => Promise<unknown>;
}

/** It begins anew each time that it is opened: a refusal is that of the record that it asks about. */
export function ConfirmDialog(props: ConfirmProps): ReactNode {
  return props.open && <Confirm {...props} />;
}

function Confirm({ onClose, action, children, onConfirm }: ConfirmProps): ReactNode {
  const { run, isBusy, error } = useAction(onConfirm);
  const confirm = async (): Promise<void> => {
    if (await run()) onClose();
  };
  const close = (): void => {
    if (!isBusy) onClose();
  };
  return (
    <Dialog open onClose={close} title={action}>
      <div className="wrap-anywhere text-soft">{children}</div>
      <Refusal error={error} className="mt-3" />
      <div className="mt-5 flex justify-end gap-2">
        <Button disabled={isBusy} onClick={close}>
          Keep
        </Button>
        <Button look="danger" isBusy={isBusy} onClick={() => void confirm()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
