import { type ReactNode, lazy } from 'react';
import type { Answer, EvidenceItem, Interaction } from '@switchyard/client';
import { Brain, FileText, Pencil, Wrench } from 'lucide-react';
import type { Block } from '../../api/live-turn';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { duration, number } from '../../ui/format';
import { Json } from '../../ui/json';
import { Question } from '../../ui/question';
import { LazyPart } from '../../ui/lazy-part';
import { Time } from '../../ui/time';
import { Sources } from './sources';
import type { Entry } from './stored-blocks';

const Markdown = lazy(async () => ({ default: (await import('./citation')).CitingMarkdown }));

const Plain = ({ text }: { text: string }): ReactNode => <div className="whitespace-pre-wrap">{text}</div>;

interface Props {
  entry: Entry;
  isLive: boolean;
  openQuestion: boolean;
  onAnswer: (interaction: Interaction, answer: Answer) => Promise<void>;
  onEdit: ((text: string) => void) | null;
}

const textOf = (entry: Entry): string =>
  entry.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');

export function EntryView({ entry, isLive, openQuestion, onAnswer, onEdit }: Props): ReactNode {
  const words = textOf(entry);
  const sources = entry.blocks.flatMap((block) => (block.type === 'evidence' ? block.items : []));
  const isUser = entry.role === 'user';
  return (
    <article
      aria-label={isUser ? 'You' : 'Agent'}
      className={`reveal-area grid gap-1.5 ${isUser ? 'justify-items-end' : ''}`}
    >
      {isUser ? (
        <div
          className="max-w-[85%] min-w-0 rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5 wrap-anywhere whitespace-pre-wrap"
          dir="auto"
        >
          {words}
          {entry.pictures.map((uri) => (
            <Picture key={uri.slice(-40)} uri={uri} />
          ))}
          {entry.files.map((name, index) => (
            <span key={index} className="mt-1 flex items-center gap-1.5 text-sm text-soft">
              <FileText className="size-4 shrink-0" aria-hidden="true" />
              {name}
            </span>
          ))}
        </div>
      ) : (
        <div className="grid min-w-0 gap-3">
          {entry.blocks.map((block, index) => (
            <BlockView
              key={block.key}
              block={block}
              sources={sources}
              isOpen={openQuestion && index === entry.blocks.length - 1}
              onAnswer={onAnswer}
            />
          ))}
          {isLive && <span aria-hidden="true" className="h-4 w-1.5 animate-pulse rounded-sm bg-accent" />}
        </div>
      )}
      {!isLive && words !== '' && (
        <div className="flex items-center gap-1 reveal text-xs text-faint">
          <CopyButton text={words} label="Copy message" bare />
          {isUser && onEdit && (
            <Button
              look="ghost"
              size="small"
              aria-label="Edit and fork"
              title="Edit and fork"
              icon={<Pencil className="size-3.5" />}
              onClick={() => onEdit(words)}
            />
          )}
          {entry.at !== null && <Time at={entry.at} />}
          {entry.tokens !== null && entry.tokens > 0 && <span className="ml-1">{number(entry.tokens)} tokens</span>}
        </div>
      )}
    </article>
  );
}

const Picture = ({ uri }: { uri: string }): ReactNode =>
  uri.startsWith('data:image/') ? (
    <img src={uri} alt="Attached" className="mt-2 max-h-64 rounded-lg" />
  ) : (
    <a href={uri} target="_blank" rel="noreferrer nofollow" className="block text-accent underline">
      {uri}
    </a>
  );

interface BlockProps {
  block: Block;
  /** Sources of the numbers in its text. */
  sources: readonly EvidenceItem[];
  isOpen: boolean;
  onAnswer: Props['onAnswer'];
}

function BlockView({ block, sources, isOpen, onAnswer }: BlockProps): ReactNode {
  switch (block.type) {
    case 'text':
      return (
        <LazyPart name="Markdown" fallback={<Plain text={block.text} />} instead={<Plain text={block.text} />}>
          <Markdown text={block.text} items={sources} />
        </LazyPart>
      );
    case 'reasoning':
      return (
        <Folded icon={<Brain className="size-4" aria-hidden="true" />} summary="Reasoning">
          <p className="whitespace-pre-wrap text-soft">{block.text}</p>
        </Folded>
      );
    case 'tool':
      return <Tool tool={block.tool} />;
    case 'evidence':
      return <Sources items={block.items} />;
    case 'question':
      return (
        <Question
          interaction={block.interaction}
          isOver={!isOpen}
          onAnswer={(answer) => onAnswer(block.interaction, answer)}
        />
      );
    case 'error':
      return (
        <div role="alert" className="rounded-xl bg-bad-soft px-4 py-3 wrap-anywhere text-bad">
          {block.message} <span className="font-mono text-xs">{block.code}</span>
        </div>
      );
  }
}

function Folded({
  icon,
  summary,
  aside,
  children,
}: {
  icon: ReactNode;
  summary: string;
  aside?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <details className="rounded-xl border border-line bg-surface">
      <summary className="flex items-center gap-2 px-3 py-2 text-soft [&::-webkit-details-marker]:hidden">
        {icon}
        <span className="min-w-0 flex-1 truncate">{summary}</span>
        {aside}
      </summary>
      <div className="grid gap-3 border-t border-line p-3">{children}</div>
    </details>
  );
}

function Tool({ tool }: { tool: Extract<Block, { type: 'tool' }>['tool'] }): ReactNode {
  const { name, status, result, error } = tool;
  return (
    <Folded
      icon={<Wrench className="size-4" aria-hidden="true" />}
      summary={name}
      aside={
        <>
          {tool.duration_ms !== undefined && <span className="text-xs text-faint">{duration(tool.duration_ms)}</span>}
          <StatusBadge status={status} />
        </>
      }
    >
      <Labelled label="Arguments" value={tool.arguments} />
      {result !== undefined && <Labelled label="Result" value={result} />}
      {error !== undefined && <Labelled label="Error" value={error} />}
    </Folded>
  );
}

const Labelled = ({ label, value }: { label: string; value: unknown }): ReactNode => (
  <div>
    <p className="mb-1 text-xs font-medium text-faint">{label}</p>
    <Json label={label} value={value} />
  </div>
);
