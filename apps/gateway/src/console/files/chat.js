import { get, post } from './api.js';
import { failure, fill, h, json } from './dom.js';
import { frames } from './stream.js';

const uuid = () => crypto.randomUUID();

/** The form of a question; answers with option ids. */
function choices(interaction, answer) {
  const many = interaction.kind === 'multiple_choice';
  const inputs = interaction.options.map((option) =>
    h('input', {
      type: many ? 'checkbox' : 'radio',
      name: interaction.id,
      value: option.id,
      id: `${interaction.id}-${option.id}`,
    }),
  );
  const other = interaction.allowOther
    ? h('input', { placeholder: 'Another answer', 'aria-label': 'Another answer' })
    : null;
  const send = (event) => {
    event.preventDefault();
    const selectedOptionIds = inputs.filter((input) => input.checked).map((input) => input.value);
    answer({ selectedOptionIds, otherText: other?.value ? other.value : null });
  };
  return h(
    'form',
    { class: 'bubble', onsubmit: send },
    h('p', {}, interaction.prompt),
    interaction.options.map((option, index) =>
      h(
        'div',
        { class: 'row' },
        h(
          'label',
          { htmlFor: inputs[index].id },
          inputs[index],
          ' ',
          option.label,
          option.description ? ` — ${option.description}` : '',
        ),
      ),
    ),
    other,
    h('button', { class: 'main' }, 'Answer'),
  );
}

/** A conversation with one agent: text as it comes, tools, questions, stop, and the raw frames. */
export async function chatPage(root, agentId) {
  const agent = await get(`/agents/${agentId}`);
  const log = h('div', { 'aria-live': 'polite' });
  const raw = h('pre', { hidden: true });
  const text = h('textarea', { placeholder: 'Say something', 'aria-label': 'Message' });
  const stop = h('button', { type: 'button', disabled: true }, 'Stop');
  const send = h('button', { class: 'main' }, 'Send');
  const state = { sessionId: null, turnId: null, bubble: null, thoughts: null };

  const show = (frame) => {
    const { data } = frame.params;
    raw.append(`${JSON.stringify(frame)}\n`);
    if (frame.method === 'tools') return;
    switch (data.event) {
      case 'session-started':
        state.sessionId = data.session_id;
        state.turnId = data.turn_id;
        break;
      case 'reasoning-delta':
        if (!state.thoughts) {
          state.thoughts = h('div', {});
          log.append(h('details', { class: 'bubble tool' }, h('summary', {}, 'Reasoning'), state.thoughts));
        }
        state.bubble = null;
        state.thoughts.append(data.delta);
        break;
      case 'content-delta':
        state.thoughts = null;
        if (!state.bubble) log.append((state.bubble = h('div', { class: 'bubble' })));
        state.bubble.append(data.delta);
        break;
      case 'tool-execution':
        state.bubble = null;
        state.thoughts = null;
        log.append(
          h(
            'details',
            { class: 'bubble tool' },
            h('summary', {}, `${data.name}: ${data.status}`),
            json({ arguments: data.arguments, result: data.result, error: data.error }),
          ),
        );
        break;
      case 'knowledge-evidence':
        log.append(
          h(
            'details',
            { class: 'bubble tool' },
            h('summary', {}, `${data.items.length} pieces of evidence`),
            json(data.items),
          ),
        );
        break;
      case 'agent-input-required':
        log.append(choices(data.interaction, (answer) => void resume(data.interaction, answer)));
        break;
      case 'error-occurred':
        log.append(failure({ code: data.code, message: data.message }));
        break;
      case 'response-completed':
        log.append(h('p', { class: 'soft' }, `${data.tokens_used} tokens, ${data.execution_time} s`));
        break;
      default:
    }
  };

  const follow = async (stream) => {
    send.disabled = true;
    stop.disabled = false;
    state.bubble = null;
    state.thoughts = null;
    try {
      for await (const frame of stream) show(frame);
    } catch (error) {
      log.append(failure(error));
    }
    send.disabled = false;
    stop.disabled = true;
  };

  const resume = (interaction, answer) =>
    follow(
      frames('POST', `/agents/${agentId}/turns/${interaction.turnId}/resume`, {
        sessionId: interaction.sessionId,
        interactionId: interaction.id,
        ...answer,
      }),
    );

  const submit = (event) => {
    event.preventDefault();
    if (!text.value.trim()) return;
    log.append(h('div', { class: 'bubble user' }, text.value));
    const body = {
      contents: [{ type: 'text', text: text.value }],
      turnId: uuid(),
      ...(state.sessionId ? { session_id: state.sessionId } : {}),
    };
    text.value = '';
    void follow(frames('POST', `/agents/${agentId}/chat`, body));
  };
  stop.addEventListener(
    'click',
    () =>
      void post(`/agents/${agentId}/turns/${state.turnId}/cancel`, { sessionId: state.sessionId }).catch((error) =>
        log.append(failure(error)),
      ),
  );

  fill(
    root,
    h('h2', {}, agent.name, ' ', h('span', { class: 'badge' }, agent.model)),
    log,
    h(
      'form',
      { onsubmit: submit },
      text,
      h(
        'div',
        { class: 'row' },
        send,
        stop,
        h('button', { type: 'button', onclick: () => (raw.hidden = !raw.hidden) }, 'Frames'),
      ),
    ),
    raw,
  );
  text.focus();
}
