import { type ReactNode, useEffect, useRef, useState } from 'react';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import {
  HighlightStyle,
  bracketMatching,
  defaultHighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { pageNonce } from '../nonce';
import type { Wiring } from './field';

interface Props {
  label: string;
  /** Ids of its label, hint and error. */
  wiring: Wiring;
  value: string;
  onChange: (value: string) => void;
  rows?: number;
  /** Its colours and its mistakes are shown as JSON. */
  isJson?: boolean;
}

const look = EditorView.theme({
  '&': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--field-line)',
    borderRadius: '0.5rem',
    fontSize: '0.8125rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-content': { fontFamily: 'var(--font-mono)', padding: '0.5rem 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 0.75rem' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-scroller': { lineHeight: '1.3rem' },
});

/** The colours of the default, as ours: those are read on a dark ground too. */
const COLORS: Record<string, string> = {
  '#a11': 'var(--good)',
  '#164': 'var(--busy)',
  '#219': 'var(--accent)',
  '#e40': 'var(--warn)',
  '#f00': 'var(--bad)',
};
const highlight = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => ({
    ...spec,
    ...(typeof spec['color'] === 'string' ? { color: COLORS[spec['color']] ?? 'var(--ink)' } : {}),
  })),
);

/** Tab leaves it, as it leaves every other field. */
export function JsonEditor({ label, wiring, value, onChange, rows = 6, isJson = false }: Props): ReactNode {
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const change = useRef(onChange);
  const [attributes] = useState(() => new Compartment());
  useEffect(() => {
    change.current = onChange;
  });
  useEffect(() => {
    if (!container.current) return;
    const editor = new EditorView({
      parent: container.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          ...(isJson
            ? [json(), linter((of) => (of.state.doc.toString().trim() === '' ? [] : jsonParseLinter()(of)))]
            : []),
          indentOnInput(),
          bracketMatching(),
          syntaxHighlighting(highlight),
          EditorView.lineWrapping,
          attributes.of([]),
          EditorView.cspNonce.of(pageNonce),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) change.current(update.state.doc.toString());
          }),
          look,
          EditorView.theme({ '.cm-content': { minHeight: `${rows * 1.3 + 1}rem` } }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // The editor keeps its own text from then on.
  }, [rows, attributes, isJson]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  const { id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid } = wiring;
  useEffect(() => {
    const named = EditorView.contentAttributes.of({
      id,
      'aria-label': label,
      role: 'textbox',
      'aria-multiline': 'true',
      ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
      ...(isInvalid === true ? { 'aria-invalid': 'true' } : {}),
    });
    view.current?.dispatch({ effects: attributes.reconfigure(named) });
  }, [attributes, label, id, describedBy, isInvalid, rows, isJson]);
  useEffect(() => {
    // A label gives the focus to inputs alone.
    const focus = (): void => view.current?.focus();
    const labelElement = document.querySelector(`label[for="${CSS.escape(id)}"]`);
    labelElement?.addEventListener('click', focus);
    return () => labelElement?.removeEventListener('click', focus);
  }, [id]);
  return <div ref={container} />;
}
