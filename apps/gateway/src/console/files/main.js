import { acceptInvitation, resume, session, signIn, signOut } from './api.js';
import { failure, field, fill, h } from './dom.js';
import { pages } from './pages.js';

const app = document.getElementById('app');

function signInPage(problem) {
  const email = h('input', { type: 'email', required: true, autocomplete: 'username' });
  const password = h('input', { type: 'password', required: true, autocomplete: 'current-password' });
  const space = h('input', { placeholder: 'only if the address has several accounts' });
  const said = h('div', {}, problem ? failure(problem) : '');
  const submit = async (event) => {
    event.preventDefault();
    try {
      await signIn(email.value, password.value, space.value.trim());
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
      field('Space id', space),
      h('button', { class: 'main' }, 'Sign in'),
      said,
      h('p', {}, h('a', { href: '#/invitation' }, 'I have an invitation')),
    ),
  );
  email.focus();
}

/** The token stands behind the # of the link, which browsers do not send. */
function invitationPage(given = '') {
  const token = h('input', { required: true, value: given, autocomplete: 'off' });
  const password = h('input', { type: 'password', minLength: 12, autocomplete: 'new-password' });
  const said = h('div');
  const accept = (chosen) => async (event) => {
    event.preventDefault();
    try {
      await acceptInvitation(token.value.trim(), chosen());
      location.hash = '/';
      await show();
    } catch (error) {
      fill(said, failure(error));
    }
  };
  const signedIn = session.user
    ? h('button', { type: 'button', onclick: accept(() => undefined) }, `Join as ${session.user.email}`)
    : h('p', { class: 'soft' }, 'To join with an account that you have, sign in first and open the link again.');
  fill(
    app,
    h(
      'form',
      { class: 'narrow', onsubmit: accept(() => password.value) },
      h('h2', {}, 'Your invitation'),
      field('Token', token),
      signedIn,
      field('Choose a password (12 characters or more)', password),
      h('button', { class: 'main' }, 'Make an account and join'),
      said,
      h('p', {}, h('a', { href: '#/' }, 'Back')),
    ),
  );
}

/** What the address asks for, with and without a signed-in user. */
async function open() {
  const [, name, token] = location.hash.slice(1).split('/');
  if (name === 'invitation') return invitationPage(token);
  return session.user ? show() : signInPage();
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

window.addEventListener('hashchange', () => void open());
window.addEventListener('signed-out', () => {
  session.user = null;
  signInPage();
});
await resume().catch(() => false);
await open();
