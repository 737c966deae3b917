import { Component, type ReactNode, Suspense } from 'react';
import { Button } from './button';
import { messageOf } from './errors';
import { Note } from './note';
import { isOutdated } from './chunk-load-error';

interface BoundaryProps {
  /** Name of the part: "The editor". */
  name: string;
  /** Fallback if it does not load, without a message. */
  instead?: ReactNode;
  children: ReactNode;
}

/** A part of a page that broke: the page around it, and what was written into it, stays. */
class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const { name, instead } = this.props;
    if (instead !== undefined) return instead;
    return (
      <Note
        tone="warn"
        action={
          <Button size="small" onClick={() => window.location.reload()}>
            Reload
          </Button>
        }
      >
        {isOutdated(error)
          ? `${name} was not loaded: the console was updated, or the connection is away. Save what you wrote, then reload.`
          : `${name} does not work: ${messageOf(error)}`}
      </Note>
    );
  }
}

interface Props extends BoundaryProps {
  /** Until it is there. */
  fallback?: ReactNode;
}

/** Around what `lazy` fetches when it is first needed. */
export const LazyPart = ({ name, fallback = null, instead, children }: Props): ReactNode => (
  <PartBoundary name={name} instead={instead}>
    <Suspense fallback={fallback}>{children}</Suspense>
  </PartBoundary>
);
