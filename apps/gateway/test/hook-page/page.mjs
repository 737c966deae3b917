// A chat as an application of LangGraph has one. What it is given is in the address, what it can do in `globalThis.chat`.
import { Client } from '@langchain/langgraph-sdk';
import { StreamController } from '@langchain/langgraph-sdk/stream';
import { createElement, StrictMode, useEffect, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';

const { location, sessionStorage, document } = globalThis;
const { agentId, credential } = Object.fromEntries(new URLSearchParams(location.search));
const client = new Client({ apiUrl: `${location.origin}/langgraph`, apiKey: credential });

/** As the hooks for the second version of the protocol are made. */
function useThread() {
  const [controller] = useState(
    () =>
      new StreamController({
        client,
        assistantId: agentId,
        threadId: sessionStorage.getItem('thread'),
        onThreadId: (id) => sessionStorage.setItem('thread', id),
      }),
  );
  useEffect(() => controller.activate(), [controller]);
  useEffect(() => void controller.hydrate(sessionStorage.getItem('thread')), [controller]);
  const { rootStore } = controller;
  return { controller, ...useSyncExternalStore(rootStore.subscribe, rootStore.getSnapshot) };
}

function Chat() {
  const thread = useThread();
  globalThis.chat = thread;
  const shown = thread.messages.map((message) =>
    createElement('p', { key: message.id, className: message.getType() }, message.text),
  );
  return createElement('main', { 'data-status': thread.isLoading ? 'busy' : 'ready' }, shown);
}

createRoot(document.body).render(createElement(StrictMode, null, createElement(Chat)));
