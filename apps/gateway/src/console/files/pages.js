import { call, get, post, session, switchSpace } from './api.js';
import { chatPage } from './chat.js';
import { failure, field, fill, h, json, table, time } from './dom.js';
import { firstCalls } from './first-calls.js';

const go = (path) => (location.hash = path);
const badge = (text) => h('span', { class: 'badge' }, text);

/** A list that grows page by page. */
async function list(root, path, columns, onRow) {
  const rows = [];
  const holder = h('div');
  const load = async (cursor) => {
    const answer = await call(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    rows.push(...answer.data);
    const next = answer.page?.nextCursor;
    fill(holder, table(columns, rows, onRow), next ? h('button', { onclick: () => void load(next) }, 'More') : null);
  };
  root.append(holder);
  await load();
}

/** A form that says what went wrong beneath itself. */
function action(title, inputs, run) {
  const said = h('div');
  const submit = async (event) => {
    event.preventDefault();
    fill(said);
    try {
      fill(said, await run(Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value]))));
    } catch (error) {
      fill(said, failure(error));
    }
  };
  return h(
    'details',
    { class: 'card' },
    h('summary', {}, title),
    h(
      'form',
      { onsubmit: submit },
      Object.entries(inputs).map(([name, input]) => field(name, input)),
      h('button', { class: 'main' }, title),
    ),
    said,
  );
}

async function overview(root) {
  const [balance, byModel, ready] = await Promise.all([
    get('/usage/balance'),
    get('/usage?groupBy=model'),
    fetch('/health/ready').then((answer) => answer.json()),
  ]);
  const card = (label, value) => h('div', { class: 'card' }, h('span', { class: 'soft' }, label), h('b', {}, value));
  root.append(
    h(
      'div',
      { class: 'cards' },
      card('Tokens left', balance.balance.toLocaleString()),
      card('Used today', balance.dailyUsed.toLocaleString()),
      card('Daily cap', balance.dailyCap?.toLocaleString() ?? 'none'),
      card('Platform', ready.ready ? 'ready' : 'not ready'),
    ),
    h('h3', {}, 'Usage by model'),
    table(
      [
        ['Model', (row) => row.model],
        ['Calls', (row) => row.calls],
        ['Tokens', (row) => row.tokens],
        ['Cost', (row) => row.cost],
      ],
      byModel,
    ),
  );
}

async function agents(root) {
  const inputs = {
    name: h('input', { required: true }),
    model: h('input', { required: true, value: 'sim-chat' }),
    systemPrompt: h('textarea', { required: true }),
  };
  root.append(
    action('Create an agent', inputs, async (values) => {
      const agent = await post('/agents', { ...values, tools: ['ask_user'] });
      go(`/agents/${agent.id}`);
      return '';
    }),
  );
  root.append(h('h3', {}, 'Agents'));
  await list(
    root,
    '/agents',
    [
      ['Name', (row) => row.name],
      ['Model', (row) => row.model],
      ['Access', (row) => badge(row.accessScope)],
      ['Version', (row) => row.version],
      ['Updated', (row) => time(row.updatedAt)],
    ],
    (row) => go(`/agents/${row.id}`),
  );
  root.append(h('h3', {}, 'System agents'));
  await list(
    root,
    '/agents/system-agents',
    [
      ['Name', (row) => row.name],
      ['Model', (row) => row.model],
    ],
    (row) => go(`/agents/${row.id}`),
  );
}

async function sessions(root, id) {
  if (!id) {
    await list(
      root,
      '/agents/sessions',
      [
        ['Title', (row) => row.title ?? 'Untitled'],
        ['Messages', (row) => row.messageCount],
        ['Last', (row) => time(row.lastMessageAt)],
      ],
      (row) => go(`/sessions/${row.id}`),
    );
    return;
  }
  for (const message of await get(`/agents/sessions/${id}/messages?limit=100`)) {
    const text = message.content.map((item) => item.text ?? `[${item.type}]`).join('\n');
    root.append(
      h(
        'div',
        { class: `bubble ${message.role}` },
        text || `[${message.role}]`,
        message.toolCalls ? json(message.toolCalls) : null,
      ),
    );
  }
}

async function jobs(root) {
  await list(root, '/agent-jobs', [
    ['Id', (row) => row.id],
    ['Phase', (row) => badge(row.phase)],
    ['Progress', (row) => `${row.progress}%`],
    ['Created', (row) => time(row.createdAt)],
    ['Error', (row) => row.error?.message ?? ''],
  ]);
}

async function tasks(root, id) {
  if (!id) {
    await list(
      root,
      '/tasks',
      [
        ['Name', (row) => row.name],
        ['Type', (row) => badge(row.type)],
        ['Active', (row) => (row.active ? 'yes' : 'no')],
        ['Next run', (row) => time(row.nextRunAt)],
      ],
      (row) => go(`/tasks/${row.id}`),
    );
    return;
  }
  const task = await get(`/tasks/${id}`);
  root.append(
    h('h3', {}, task.name),
    action('Execute', { inputs: h('textarea', { value: '{}' }) }, async ({ inputs }) =>
      json(await post(`/tasks/${id}/execute`, { inputs: JSON.parse(inputs) })),
    ),
    h('h3', {}, 'Executions'),
  );
  const detail = h('div');
  await list(
    root,
    `/tasks/${id}/executions`,
    [
      ['Status', (row) => badge(row.status)],
      ['Created', (row) => time(row.createdAt)],
      ['Steps', (row) => row.steps.map((step) => `${step.id}: ${step.status}`).join(', ')],
      ['Error', (row) => row.error?.message ?? ''],
    ],
    (row) => fill(detail, json(row)),
  );
  root.append(detail);
}

async function datasets(root, id) {
  if (!id) {
    await list(
      root,
      '/datasets',
      [
        ['Name', (row) => row.name],
        ['Fields', (row) => row.schema.fields.map((item) => item.name).join(', ')],
        ['Records', (row) => row.recordCount],
      ],
      (row) => go(`/datasets/${row.id}`),
    );
    return;
  }
  const dataset = await get(`/datasets/${id}`);
  const holder = h('div');
  const names = ['id', ...dataset.schema.fields.map((item) => item.name)];
  const cell = (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? ''));
  const show = (records) =>
    fill(
      holder,
      table(
        names.map((name) => [name, (row) => cell(row[name])]),
        records,
      ),
    );
  const query = action('Query', { filter: h('textarea', { value: '{}' }) }, async ({ filter }) => {
    show(await post(`/datasets/${id}/data/query`, { filter: JSON.parse(filter) }));
    return '';
  });
  const search = action('Search by meaning', { query: h('input') }, async (values) => {
    show((await post(`/datasets/${id}/data/search`, values)).map((hit) => hit.record));
    return '';
  });
  root.append(h('h3', {}, dataset.name), h('div', { class: 'cards' }, query, search), holder);
  show(await post(`/datasets/${id}/data/query`, {}));
}

async function events(root) {
  const detail = h('div');
  const status = h(
    'select',
    { 'aria-label': 'Status' },
    ['', 'PENDING', 'DISPATCHED', 'SKIPPED', 'FAILED'].map((value) => h('option', { value }, value || 'every status')),
  );
  const name = h('input', { placeholder: 'event name', 'aria-label': 'Event' });
  const log = h('div');
  const open = async (row) => {
    const envelope = await get(`/events/envelopes/${row.id}`);
    const replay = h(
      'button',
      {
        onclick: async () => {
          await post(`/events/envelopes/${row.id}/replay`).catch((error) => detail.append(failure(error)));
          await open(row);
        },
      },
      'Replay',
    );
    fill(
      detail,
      h('h3', {}, envelope.event, ' ', badge(envelope.status)),
      h(
        'div',
        { class: 'row' },
        replay,
        h('span', { class: 'soft' }, 'Subscribed tasks run again; they should not mind.'),
      ),
      json(envelope),
    );
  };
  const load = async () => {
    fill(log);
    const query = new URLSearchParams(
      Object.entries({ status: status.value, event: name.value }).filter(([, value]) => value),
    );
    await list(
      log,
      `/events/envelopes?${query}`,
      [
        ['Event', (row) => row.event],
        ['Source', (row) => row.source],
        ['Status', (row) => badge(row.status)],
        ['Matched', (row) => row.matchedSubscriptions],
        ['Depth', (row) => row.depth],
        ['Emitted', (row) => time(row.emittedAt)],
      ],
      (row) => void open(row),
    );
  };
  root.append(
    h('div', { class: 'row' }, status, name, h('button', { onclick: () => void load() }, 'Filter')),
    log,
    detail,
    h('h3', {}, 'Subscriptions'),
  );
  await load();
  const toggle = (row) =>
    h('input', {
      type: 'checkbox',
      checked: row.active,
      'aria-label': 'Active',
      onchange: async (event) => {
        try {
          await call('PATCH', `/events/subscriptions/${row.id}`, { active: event.target.checked });
        } catch (error) {
          event.target.checked = row.active;
          root.append(failure(error));
        }
      },
    });
  await list(root, '/events/subscriptions', [
    ['Event', (row) => `${row.appIdentifier} ${row.event}`],
    ['Task', (row) => row.taskId],
    ['Filter', (row) => JSON.stringify(row.filter ?? {})],
    ['Active', toggle],
    ['Origin', (row) => row.origin],
  ]);
}

async function keys(root) {
  const inputs = { name: h('input', { required: true }), scopes: h('input', { value: '*' }) };
  root.append(
    action('Create a key', inputs, async ({ name, scopes }) => {
      const made = await post('/api-keys', { name, scopes: scopes.split(/[ ,]+/).filter(Boolean) });
      return h(
        'div',
        {},
        h('p', { class: 'good' }, 'Store it now: it is not shown again.'),
        h('p', { class: 'secret' }, made.key),
        await firstCalls(made.key),
      );
    }),
    h('h3', {}, 'Keys'),
  );
  const revoke = (row) =>
    row.status === 'ACTIVE'
      ? h(
          'button',
          {
            class: 'danger',
            onclick: async () => {
              if (confirm(`Revoke ${row.name}?`)) {
                await post(`/api-keys/${row.id}/revoke`);
                window.dispatchEvent(new Event('hashchange'));
              }
            },
          },
          'Revoke',
        )
      : '';
  await list(root, '/api-keys', [
    ['Name', (row) => row.name],
    ['Ends in', (row) => `…${row.last4}`],
    ['Scopes', (row) => row.scopes.join(' ')],
    ['Status', (row) => badge(row.status)],
    ['Last used', (row) => time(row.lastUsedAt)],
    ['', revoke],
  ]);
}

async function members(root) {
  const path = `/spaces/${session.space.id}/members`;
  const roles = ['MEMBER', 'VIEWER', 'ADMIN', 'OWNER'].map((role) => h('option', { value: role }, role));
  const inputs = { email: h('input', { type: 'email', required: true }), role: h('select', {}, roles) };
  const invite = action('Invite somebody', inputs, async (values) => {
    const { email, invitation } = await post(path, values);
    return h(
      'div',
      {},
      h(
        'p',
        { class: 'good' },
        `Give this link to ${email}. It is not shown again and works until `,
        time(invitation.expiresAt),
        '.',
      ),
      h('p', { class: 'secret' }, `${location.origin}/console/#/invitation/${invitation.token}`),
    );
  });
  const remove = (row) =>
    row.userId === session.user.id
      ? ''
      : h(
          'button',
          {
            class: 'danger',
            onclick: async () => {
              if (!confirm(`Remove ${row.email}?`)) return;
              await call('DELETE', `${path}/${row.userId}`).catch((error) => root.append(failure(error)));
              window.dispatchEvent(new Event('hashchange'));
            },
          },
          row.status === 'INVITED' ? 'Withdraw' : 'Remove',
        );
  const holder = h('div');
  await list(holder, path, [
    ['Name', (row) => row.name],
    ['E-mail', (row) => (row.invitedEmail ? `${row.email} (invited as ${row.invitedEmail})` : row.email)],
    ['Role', (row) => badge(row.role)],
    ['Status', (row) => badge(row.status)],
    ['', remove],
  ]);
  root.append(invite, holder);
}

async function settings(root) {
  const spaces = await get('/spaces');
  root.append(
    h(
      'div',
      { class: 'row' },
      spaces.map((space) =>
        h(
          'button',
          {
            disabled: space.id === session.space.id,
            onclick: async () => {
              await switchSpace(space.id);
              location.hash = '/';
              location.reload();
            },
          },
          space.name,
        ),
      ),
    ),
    h('h3', {}, 'Members'),
  );
  try {
    await members(root);
  } catch (error) {
    root.append(failure(error));
  }
  root.append(h('h3', {}, 'For programs'), await firstCalls());
}

export const pages = {
  overview: ['Overview', overview],
  agents: ['Agents', (root, id) => (id ? chatPage(root, id) : agents(root))],
  sessions: ['Sessions', sessions],
  jobs: ['Jobs', jobs],
  tasks: ['Tasks', tasks],
  datasets: ['Datasets', datasets],
  events: ['Events', events],
  keys: ['API keys', keys],
  settings: ['Space', settings],
};
