// Postgres with pgvector as WebAssembly, on a port of its own. It has one backend for all its connections, so what is
// sent to this process as a message holds for every one of them: who they are, and how they plan.
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

const db = await PGlite.create({ extensions: { vector } });
const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 20 });
server.addEventListener('listening', ({ detail }) => process.send?.({ port: detail.port }));
process.on('message', async (sql) => {
  try {
    await db.exec(sql);
    process.send?.({});
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});
process.on('disconnect', () => process.exit());
await server.start();
