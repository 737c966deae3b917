import { resume, session, signIn, signOut } from './api.js';
import { failure, field, fill, h } from './dom.js';
import { pages } from './pages.js';

const app = document.getElementById('app');

function signInPage(problem) {
  const email = h('input', { type: 'email', required: true, autocomplete: 'username' });
  const password = h('input', { type: 'password', required: true, autocomplete: 'current-password' });
  const said = h('div', {}, problem ? failure(problem) : '');
  const submit = async (event) => {
    event.preventDefault();
    try {
      await signIn(email.value, password.value);
      await show();
    } catch (error) {
      fill(said, failure(error));
    }
  };
  fill(
    app,
    h(
      'form',
      { class: 'narrow', onsubmit: submit },
      h('h2', {}, 'Switchyard'),
      field('E-mail', email),
      field('Password', password),
      h('button', { class: 'main' }, 'Sign in'),
      said,
    ),
  );
  email.focus();
}

async function show() {
  const [, name = '', id] = location.hash.slice(1).split('/');
  const current = pages[name] ? name : 'overview';
  const [title, render] = pages[current];
  const links = Object.entries(pages).map(([path, [label]]) =>
    h('a', { href: `#/${path}`, 'aria-current': path === current ? 'page' : null }, label),
  );
  const content = h('div');
  const leave = async () => {
    await signOut();
    signInPage();
  };
  fill(
    app,
    h(
      'div',
      { class: 'shell' },
      h(
        'nav',
        { 'aria-label': 'Areas' },
        h('h1', {}, session.space.name),
        links,
        h('p', { class: 'soft' }, session.user.email),
        h('button', { onclick: () => void leave() }, 'Sign out'),
      ),
      h('main', {}, h('h2', {}, title), content),
    ),
  );
  document.title = `${title} · Switchyard`;
  try {
    await render(content, id);
  } catch (error) {
    content.append(failure(error));
  }
}

window.addEventListener('hashchange', () => session.user && void show());
window.addEventListener('signed-out', () => signInPage());
if (await resume().catch(() => false)) await show();
else signInPage();
