import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { LoaderCircle } from 'lucide-react';
import { classes } from './class-names';

type Look = 'primary' | 'plain' | 'ghost' | 'danger';

const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-on-accent border-transparent hover:bg-accent-strong font-medium',
  plain: 'bg-surface text-ink border-line-strong hover:bg-sunken shadow-card',
  ghost: 'bg-transparent text-soft border-transparent hover:bg-sunken hover:text-ink',
  danger: 'bg-surface text-bad border-line-strong hover:bg-bad-soft',
};

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  size?: 'small' | 'normal';
  icon?: ReactNode;
  isBusy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** Without children it is an icon, and needs an `aria-label`. */
export function Button({
  look = 'plain',
  size = 'normal',
  icon,
  isBusy = false,
  className,
  children,
  disabled,
  type = 'button',
  onClick,
  ...rest
}: Props): ReactNode {
  const shape = size === 'small' ? 'min-h-7 text-sm gap-1.5 rounded-md' : 'min-h-8.5 gap-2 rounded-lg';
  const capacity =
    children === undefined ? (size === 'small' ? 'min-w-7' : 'min-w-8.5') : size === 'small' ? 'px-2' : 'px-3';
  return (
    <button
      type={type}
      disabled={disabled}
      // A button that works keeps the focus, and does nothing meanwhile.
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={classes(
        'inline-flex shrink-0 items-center justify-center border whitespace-nowrap transition-colors disabled:opacity-55 aria-disabled:opacity-55 aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent',
        shape,
        capacity,
        LOOKS[look],
        className,
      )}
      {...rest}
    >
      {isBusy ? <LoaderCircle className="size-4 animate-spin" aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}
