import type { ReactNode } from 'react';

/** The documentation needs no sign-in. */
export const GuidesLink = ({ className = '' }: { className?: string }): ReactNode => (
  <p className={`text-center text-sm ${className}`}>
    <a href="/console/docs" className="text-accent underline underline-offset-2">
      Documentation
    </a>
  </p>
);
