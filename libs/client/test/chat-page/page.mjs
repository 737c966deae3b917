// A chat as an application has one. What it is given is in the address, what it can do in `globalThis.chat`.
import { useChat } from '@ai-sdk/react';
import { shownParts, SwitchyardChatTransport } from '@switchyard/client/ai-sdk';
import { lastAssistantMessageIsCompleteWithApprovalResponses, lastAssistantMessageIsCompleteWithToolCalls } from 'ai';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const { location, sessionStorage, document } = globalThis;
const { agentId, credential, chat: id } = Object.fromEntries(new URLSearchParams(location.search));
const transport = new SwitchyardChatTransport({
  baseUrl: location.origin,
  credential,
  agentId,
  storage: sessionStorage,
});
globalThis.transport = transport;
globalThis.toolRuns = 0;

function Chat({ messages }) {
  const chat = useChat({
    id,
    messages,
    transport,
    resume: true,
    sendAutomaticallyWhen: (given) =>
      lastAssistantMessageIsCompleteWithToolCalls(given) || lastAssistantMessageIsCompleteWithApprovalResponses(given),
    onToolCall({ toolCall }) {
      globalThis.toolRuns += 1;
      void globalThis.chat.addToolOutput({
        tool: toolCall.toolName,
        toolCallId: toolCall.toolCallId,
        output: 'five past ten',
      });
    },
  });
  globalThis.chat = chat;
  const shown = chat.messages.map((message) =>
    createElement(
      'p',
      { key: message.id, className: message.role },
      shownParts(message).map((part) => (part.type === 'text' ? part.text : '')),
    ),
  );
  return createElement('main', { 'data-status': chat.status }, shown);
}

const sessionId = transport.sessionOf(id);
const messages = sessionId === null ? [] : await transport.history(sessionId);
createRoot(document.body).render(createElement(StrictMode, null, createElement(Chat, { messages })));
