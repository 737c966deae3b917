import type { ReactNode } from 'react';
import { useState } from 'react';
import { Check, KeyRound, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { ChangePassword } from '../session/change-password';
import { auth } from '../session/console-auth';
import { useSession } from '../session/session-context';
import { Menu } from '../ui/menu';
import { type Theme, chooseTheme, storedTheme } from '../ui/theme';

const THEMES: { theme: Theme; label: string; icon: typeof Sun }[] = [
  { theme: 'system', label: 'System theme', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
];

export function PersonMenu(): ReactNode {
  const { user } = useSession();
  const [theme, setTheme] = useState(storedTheme);
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <Menu
        label={user.email}
        trigger={
          <button
            type="button"
            aria-label="Account and theme"
            className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent uppercase"
          >
            {(user.name || user.email).charAt(0)}
          </button>
        }
        items={[
          ...THEMES.map(({ theme: one, label, icon: Icon }) => ({
            label,
            isChosen: one === theme,
            icon:
              one === theme ? (
                <Check className="size-4" aria-hidden="true" />
              ) : (
                <Icon className="size-4 text-faint" aria-hidden="true" />
              ),
            onSelect: () => {
              chooseTheme(one);
              setTheme(one);
            },
          })),
          null,
          {
            label: 'Change password',
            icon: <KeyRound className="size-4 text-faint" aria-hidden="true" />,
            onSelect: () => setChanging(true),
          },
          {
            label: 'Sign out',
            icon: <LogOut className="size-4" aria-hidden="true" />,
            onSelect: () => void auth.signOut(),
          },
        ]}
      />
      {isChanging && <ChangePassword onClose={() => setChanging(false)} />}
    </>
  );
}
