/** Says what is done and how long it took; what fails says where. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const from = Date.now();
  const seconds = (): string => `${((Date.now() - from) / 1000).toFixed(1)} s`;
  try {
    const result = await work();
    console.log(`ok      ${name} (${seconds()})`);
    return result;
  } catch (error) {
    console.log(`FAILED  ${name} (${seconds()})`);
    throw error;
  }
}
