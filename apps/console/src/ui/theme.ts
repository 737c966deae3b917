export type Theme = 'system' | 'light' | 'dark';

const KEY = 'switchyard.theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');

/* oxlint-disable no-restricted-globals -- a taste is kept here, never a credential. */
export function storedTheme(): Theme {
  const value = localStorage.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme(theme);
}
/* oxlint-enable no-restricted-globals */

export function applyTheme(theme: Theme): void {
  const isDark = theme === 'dark' || (theme === 'system' && dark.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}

dark.addEventListener('change', () => applyTheme(storedTheme()));
