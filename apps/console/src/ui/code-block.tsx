import type { ReactNode } from 'react';
import { CopyButton } from './copy-button';

/** A call to be pasted into a shell. */
export function CodeBlock({ label, text }: { label: string; text: string }): ReactNode {
  return (
    <div className="grid gap-1">
      <div className="flex items-center justify-between gap-2">
        <span className="text-sm font-medium">{label}</span>
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} bare />
      </div>
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        className="overflow-x-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs"
      >
        {text}
      </pre>
    </div>
  );
}
