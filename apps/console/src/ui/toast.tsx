import { toast as sonner } from 'sonner';
import { Check, CircleAlert } from 'lucide-react';
import { messageOf } from './errors';

const show = (text: string, isBad: boolean): void => {
  const Icon = isBad ? CircleAlert : Check;
  sonner.custom(() => (
    <div
      role="status"
      className="flex w-full items-start gap-2.5 rounded-xl border border-line bg-raised px-3.5 py-3 text-ink shadow-high"
    >
      <Icon
        className={isBad ? 'mt-0.5 size-4 shrink-0 text-bad' : 'mt-0.5 size-4 shrink-0 text-good'}
        aria-hidden="true"
      />
      <span className="min-w-0 break-words">{text}</span>
    </div>
  ));
};

/** Short notes that pass: what was done, or why it was not. */
export const toast = {
  done: (text: string): void => show(text, false),
  failed: (error: unknown): void => show(messageOf(error), true),
};
