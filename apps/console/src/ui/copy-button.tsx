import { type ReactNode, useState } from 'react';
import { Check, Copy } from 'lucide-react';
import { Button } from './button';
import { toast } from './toast';

/** `bare`: an icon alone, named by its label. */
export function CopyButton({
  text,
  label = 'Copy',
  bare = false,
}: {
  text: string;
  label?: string;
  bare?: boolean;
}): ReactNode {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      // A page over plain HTTP has no clipboard.
      await navigator.clipboard.writeText(text);
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    } catch {
      toast.failed(new Error('The browser does not allow copying here. Select the text and copy it by hand.'));
    }
  };
  const Icon = isDone ? Check : Copy;
  const icon = <Icon className="size-3.5" aria-hidden="true" />;
  return bare ? (
    <>
      <Button look="ghost" size="small" aria-label={label} title={label} icon={icon} onClick={() => void copy()} />
      <span role="status" className="sr-only">
        {isDone && 'Copied'}
      </span>
    </>
  ) : (
    <Button size="small" icon={icon} onClick={() => void copy()}>
      {isDone ? 'Copied' : label}
    </Button>
  );
}
