import { type ReactNode, useState } from 'react';

interface Props {
  value: unknown;
  onChange: (value: unknown) => void;
  read: (text: string) => unknown;
  write: (value: unknown) => string;
  /** The field that the text is written in. */
  children: (text: string, change: (text: string) => void) => ReactNode;
}

/** A text that stands for a value: what is being written is not tidied up under one's hands. */
export function ParsedInput({ value, onChange, read, write, children }: Props): ReactNode {
  const [text, setText] = useState(() => write(value));
  const isMine = JSON.stringify(read(text)) === JSON.stringify(value);
  return children(isMine ? text : write(value), (next) => {
    setText(next);
    onChange(read(next));
  });
}
