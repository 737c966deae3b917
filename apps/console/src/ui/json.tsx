import { type ReactNode, lazy, useMemo, useState } from 'react';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { Field } from './field';
import { number } from './format';
import { LazyPart } from './lazy-part';

export { asObject } from './json-object';

const Editor = lazy(async () => ({ default: (await import('./json-editor')).JsonEditor }));

interface JsonFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  problem?: string | undefined;
  hint?: ReactNode;
  rows?: number;
}

/** JSON to be written. */
export const JsonField = (props: JsonFieldProps): ReactNode => <CodeField isJson {...props} />;

/** A text of code to be written. Its editor is fetched when it is first needed. */
export function CodeField({ label, problem, hint, ...rest }: JsonFieldProps & { isJson?: boolean }): ReactNode {
  return (
    <Field {...{ label, problem, hint }}>
      {(wiring) => (
        <LazyPart
          name="The editor"
          fallback={<div className="shimmer h-24" role="status" aria-label={`Loading ${label}`} />}
        >
          <Editor label={label} wiring={wiring} {...rest} />
        </LazyPart>
      )}
    </Field>
  );
}

/** A long text is cut at first: rendering a mebibyte would block the page. */
const MOST = 20_000;

/** JSON to be read. */
export function Json({ value, label }: { value: unknown; label: string }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const text = useMemo(() => (value === undefined ? '' : JSON.stringify(value, null, 2)), [value]);
  const isCut = !isWhole && text.length > MOST;
  return (
    <div className="reveal-area relative">
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        className="max-h-80 overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
      >
        {isCut ? text.slice(0, MOST) : text}
      </pre>
      <div className="reveal absolute top-1.5 right-1.5">
        <CopyButton text={text} label={`Copy ${label}`} bare />
      </div>
      {isCut && (
        <Button size="small" className="mt-1.5" onClick={() => setWhole(true)}>
          Show all {number(text.length)} characters
        </Button>
      )}
    </div>
  );
}
