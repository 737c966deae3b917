// Everything is put into the page as text: what agents, tools and users wrote is never read as markup.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name in element && name !== 'list') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat()) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

export const field = (label, input) => h('label', {}, label, input);

export const json = (value) => h('pre', {}, JSON.stringify(value, null, 2));

export const time = (text) => (text ? h('time', { dateTime: text, title: text }, new Date(text).toLocaleString()) : '');

export function table(columns, rows, onRow) {
  const head = h(
    'thead',
    {},
    h(
      'tr',
      {},
      columns.map(([title]) => h('th', { scope: 'col' }, title)),
    ),
  );
  const body = rows.map((row) =>
    h(
      'tr',
      onRow
        ? {
            class: 'link',
            tabIndex: 0,
            onclick: () => onRow(row),
            onkeydown: (event) => event.key === 'Enter' && onRow(row),
          }
        : {},
      columns.map(([, cell]) => h('td', {}, cell(row))),
    ),
  );
  if (body.length === 0) return h('p', { class: 'soft' }, 'Nothing here yet.');
  return h('table', {}, head, h('tbody', {}, body));
}

export function failure(error) {
  const code = error.code ? `${error.code}: ` : '';
  const id = error.requestId ? `\nRequest ${error.requestId}` : '';
  return h('p', { class: 'error', role: 'alert' }, `${code}${error.message}${id}`);
}
