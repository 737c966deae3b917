import { projectRoot } from '../launcher/project-root';

type Compile = (root: string, file: string, text: Buffer) => Promise<[string, string][]>;
const { compile } = jest.requireActual<{ compile: Compile }>('./compile.mjs');

const scriptOf = async (file: string, text: string): Promise<string> =>
  (await compile(projectRoot, file, Buffer.from(text)))[0]?.[1] ?? '';

describe('what the build makes of a source', () => {
  it('passes the names of another module on by its own getters', async () => {
    const leaf = { exports: {} };
    const barrel = { exports: {} };
    const run = (script: string, module: object, load = (): unknown => leaf.exports): void => {
      // oxlint-disable-next-line no-implied-eval
      new Function('exports', 'module', 'require', script)((module as typeof leaf).exports, module, load);
    };
    run(await scriptOf('libs/kernel/src/leaf.ts', 'export let n = 1; export const more = () => (n += 1);'), leaf);
    run(await scriptOf('libs/kernel/src/barrel.ts', "export * from './leaf';"), barrel);
    const { more } = barrel.exports as { more: () => number };
    more();
    expect(barrel.exports).toMatchObject({ n: 2 });
    const getterOf = (of: object): unknown => Object.getOwnPropertyDescriptor(of, 'n')?.get;
    expect(getterOf(barrel.exports)).toBe(getterOf(leaf.exports));
  });

  it('finds a library where it lies', async () => {
    const script = await scriptOf('apps/task/src/deep/x.ts', "import { newId } from '@switchyard/kernel'; newId();");
    expect(script).toContain('require("../../../../libs/kernel/src/index.js")');
  });
});
