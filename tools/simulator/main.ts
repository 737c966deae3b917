import { startSimulator } from './server';

async function main(): Promise<void> {
  const port = Number(process.env['SIMULATOR_PORT'] ?? '4010');
  const simulator = await startSimulator(port, process.env['SIMULATOR_HOST'] ?? '127.0.0.1');
  console.log(
    JSON.stringify({ level: 'info', service: 'simulator', msg: `The model simulator listens at ${simulator.url}.` }),
  );
  const stop = (): void => void simulator.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
