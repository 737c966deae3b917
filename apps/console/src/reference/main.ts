import 'openapi-explorer/dist/browser/openapi-explorer.min.js';
import tokens from '../tokens.css?inline';
import { applyTheme, storedTheme } from '../ui/theme';

/** Attributes of the renderer, and the colors of the console that they get. */
const COLORS = {
  'bg-color': '--surface',
  'text-color': '--ink',
  'header-color': '--ink',
  'primary-color': '--accent',
  'secondary-color': '--accent',
  'nav-bg-color': '--ground',
  'nav-text-color': '--ink-soft',
  'nav-hover-bg-color': '--accent-soft',
  'nav-hover-text-color': '--accent-strong',
};

const PAGE = `
body { margin: 0; background: var(--surface); }
openapi-explorer {
  --green: var(--good);
  --light-green: var(--good-soft);
  --red: var(--bad);
  --light-red: var(--bad-soft);
  --orange: var(--warn);
  --light-orange: var(--warn-soft);
  --light-yellow: var(--warn-soft);
  --blue: var(--busy);
  --light-blue: var(--busy-soft);
  --purple: var(--accent);
  --light-purple: var(--accent-soft);
  --inline-code-fg: var(--accent-strong);
  --font-regular: 'Inter', ui-sans-serif, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans',
    'Liberation Sans', Arial, sans-serif;
  --font-mono: ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono',
    monospace;
}
/* The renderer hides the descriptions on a phone. */
@media (width < 576px) {
  openapi-explorer::part(schema-key) { box-sizing: border-box; width: 7.5rem; padding-right: 0.5rem; min-width: 0; overflow-wrap: anywhere; white-space: normal; }
  openapi-explorer::part(schema-type) { width: 4.5rem; min-width: 0; }
  openapi-explorer::part(schema-description) { display: block; flex: 1; min-width: 0; }
}`;

const sheet = new CSSStyleSheet();
sheet.replaceSync(tokens + PAGE);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

function paint(reference: Element): void {
  const styles = getComputedStyle(document.documentElement);
  for (const [attribute, color] of Object.entries(COLORS))
    reference.setAttribute(attribute, styles.getPropertyValue(color).trim());
}

applyTheme(storedTheme());
const reference = document.createElement('openapi-explorer');
reference.setAttribute('spec-url', '/openapi.json');
reference.setAttribute('collapse', 'true');
reference.setAttribute('hide-server-selection', 'true');
paint(reference);
document.body.replaceChildren(reference);
new MutationObserver(() => paint(reference)).observe(document.documentElement, { attributeFilter: ['data-theme'] });
