import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Dialog as Radix } from 'radix-ui';
import { BookOpen, Bot, Database, ListChecks, MessageSquare, Search } from 'lucide-react';
import { useSession } from '../session/session-context';
import { useReturnFocus } from '../ui/use-return-focus';
import { pagesFor } from './pages';
import { useGuideSections } from './use-guide-sections';

interface Found {
  key: string;
  name: string;
  to: string;
  icon: typeof Bot;
}

const ITEM =
  'flex items-center gap-2.5 rounded-lg px-2.5 py-2 cursor-default data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent';

/** Pages by their names, records of the Space by theirs, and guides by what they say. */
export function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const session = useSession();
  const returnFocus = useReturnFocus();
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const request = useDeferredValue(typed.trim());
  const found = useFound(request);
  const { sections } = useGuideSections(request, FEW_SECTIONS);
  const go = (to: string, hash?: string): void => {
    onClose();
    void navigate({ to, hash });
  };
  const reachable = pagesFor(session).flat();
  const isLike = ({ name }: { name: string }): boolean => name.toLowerCase().includes(typed.trim().toLowerCase());
  const matching = reachable.filter(isLike);
  const guides = sections.map(({ key, title, heading, guide, hash }) => ({
    key,
    name: heading === null ? `Guide: ${title}` : `Guide: ${title}, ${heading}`,
    to: `/docs/${guide}`,
    hash,
  }));
  // Records come later than guides, and above them: the first of all is chosen, until one has chosen oneself.
  const firstOfAll = matching[0] ?? found[0] ?? guides[0];
  const first = matching[0]?.to ?? found[0]?.key ?? guides[0]?.key ?? '';
  const [chosen, setChosen] = useState(first);
  const [hasChosen, setHasChosen] = useState(false);
  useEffect(() => {
    // The list chooses for itself as well, sometimes among items that are gone.
    if (!hasChosen && chosen !== first) setChosen(first);
  }, [chosen, first, hasChosen]);
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(10_10_20/0.45)]" />
        <Radix.Content
          {...returnFocus}
          aria-describedby={undefined}
          className="fixed top-[12dvh] left-1/2 z-50 w-[calc(100vw-1.5rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-2xl border border-line bg-raised shadow-high"
        >
          <Radix.Title className="sr-only">Search</Radix.Title>
          <Command
            shouldFilter={false}
            label="Search"
            value={chosen}
            onValueChange={setChosen}
            onKeyDown={(event) => {
              if (event.key.startsWith('Arrow')) setHasChosen(true);
              if (event.key !== 'Enter' || event.nativeEvent.isComposing || hasChosen || !firstOfAll) return;
              event.preventDefault();
              go(firstOfAll.to, 'hash' in firstOfAll ? firstOfAll.hash : undefined);
            }}
            onPointerMove={({ movementX, movementY }) => {
              // A pointer that rests where the list opens, or where it shrinks to, chooses nothing.
              if (movementX !== 0 || movementY !== 0) setHasChosen(true);
            }}
          >
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Search className="size-4 text-faint" aria-hidden="true" />
              {/* The dialog gives it the focus: what `autoFocus` gives, a dialog that just closed may take away. */}
              <Command.Input
                value={typed}
                onValueChange={(text) => {
                  setTyped(text);
                  setHasChosen(false);
                }}
                placeholder="A page, an agent, a task, a dataset, a chat, a guide"
                className="h-12 w-full bg-transparent outline-none"
              />
            </div>
            <Command.List className="max-h-[50dvh] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-8 text-center text-faint">No results</Command.Empty>
              {matching.map(({ name, to, icon: Icon }) => (
                <Command.Item key={to} value={to} onSelect={() => go(to)} className={ITEM}>
                  <Icon className="size-4 shrink-0 text-faint" aria-hidden="true" />
                  {name}
                </Command.Item>
              ))}
              {found.map(({ key, name, to, icon: Icon }) => (
                <Command.Item key={key} value={key} onSelect={() => go(to)} className={ITEM}>
                  <Icon className="size-4 shrink-0 text-faint" aria-hidden="true" />
                  <span className="truncate">{name}</span>
                </Command.Item>
              ))}
              {guides.map(({ key, name, to, hash }) => (
                <Command.Item key={key} value={key} onSelect={() => go(to, hash)} className={ITEM}>
                  <BookOpen className="size-4 shrink-0 text-faint" aria-hidden="true" />
                  <span className="truncate">{name}</span>
                </Command.Item>
              ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const FEW = 5;
const FEW_SECTIONS = 8;

function useFound(q: string): Found[] {
  const { client } = useSession();
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['palette', q],
    enabled: q !== '',
    // Enter must not open a guide because a last letter has taken the records away for a moment.
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const [agents, tasks, sessions, datasets] = await Promise.all([
        client.agents.list({ q, limit: FEW }),
        client.tasks.list({ q, limit: FEW }),
        client.sessions.list({ q, limit: FEW }),
        client.datasets.list({ limit: 100 }),
      ]);
      const of = (kind: string, icon: typeof Bot, items: { id: string; name: string }[]): Found[] =>
        items.map(({ id, name }) => ({ key: id, name, to: `/${kind}/${id}`, icon }));
      const like = datasets.items.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase())).slice(0, FEW);
      const chats = sessions.items.map(({ id, title }) => ({ id, name: title ?? 'Untitled chat' }));
      return [
        ...of('agents', Bot, agents.items),
        ...of('tasks', ListChecks, tasks.items),
        ...of('datasets', Database, like),
        ...of('chat', MessageSquare, chats),
      ];
    },
  });
  if (!data || q === '') return [];
  return isPlaceholderData ? data.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase())) : data;
}
