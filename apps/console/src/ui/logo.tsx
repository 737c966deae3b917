import type { ReactNode } from 'react';

export const Logo = ({ className }: { className?: string }): ReactNode => (
  <svg viewBox="0 0 24 24" className={className} aria-hidden="true">
    <rect width="24" height="24" rx="6.5" className="fill-accent" />
    <path
      d="M4.5 16.5h4l7-9h4M4.5 7.5h4.2m6.6 9h4.2"
      className="fill-transparent stroke-on-accent"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
