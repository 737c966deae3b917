import type { ReactNode } from 'react';
import type { Manifest } from '@switchyard/client';
import { Json } from '../../ui/json';

interface Props {
  event: Manifest['events'][number];
  actions: ReactNode;
}

export function DeclaredEvent({ event, actions }: Props): ReactNode {
  const { name, description, emitOn, schema } = event;
  return (
    <li className="rounded-lg border border-line px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1 basis-40">
          <span className="font-medium wrap-anywhere">{name}</span>
          {description !== undefined && <span className="block text-sm wrap-anywhere text-soft">{description}</span>}
        </span>
        {actions}
      </div>
      <details className="mt-1">
        <summary className="text-sm text-faint">Schema{emitOn && ' and the data that emits it'}</summary>
        <div className="mt-2 grid gap-2">
          <Json label={`Schema of ${name}`} value={schema} />
          {emitOn && <Json label={`Data that emits ${name}`} value={emitOn} />}
        </div>
      </details>
    </li>
  );
}
