import fastify from 'fastify';

const app = fastify();
app.get('/no-op', () => ({ success: true, message: 'Nothing done.', data: { done: false } }));
void app.listen({ port: 0, host: '127.0.0.1' }).then((url) => process.send?.(url));
