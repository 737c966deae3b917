// Postgres with pgvector as WebAssembly, on a port of its own. It has one backend for all its connections, so what is
// sent to this process as a message holds for every one of them: who they are, and how they plan.
import { PGlite, protocol } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { setTimeout as sleep } from 'node:timers/promises';

const db = await PGlite.create({ extensions: { vector } });
const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 20 });
server.addEventListener('listening', ({ detail }) => process.send?.({ port: detail.port }));

/** Between two transactions: within one it would have the role of that one, and end with it. */
async function say(sql) {
  const isSaid = await db.runExclusive(async () => {
    if (db.isInTransaction()) return false;
    try {
      await db.execProtocolStream(protocol.serialize.query(sql));
    } finally {
      await db.execProtocolStream(protocol.serialize.sync());
    }
    return true;
  });
  if (isSaid) return;
  await sleep(1);
  await say(sql);
}

process.on('message', async (sql) => {
  try {
    await say(sql);
    process.send?.({});
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});
process.on('disconnect', () => process.exit());
await server.start();
