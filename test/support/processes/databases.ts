import { Miniflare } from 'miniflare';
import { overProxy } from './platform.ts';

/** Empty databases of their own, in memory. */
export async function startDatabases(
  count: number,
): Promise<{ databases: D1Database[]; stop(): Promise<void> }> {
  const names = Array.from({ length: count }, (_, index) => `DB${index}`);
  const miniflare = new Miniflare({
    workers: [
      {
        config: {
          name: 'none',
          compatibilityDate: '2026-10-01',
          manifest: {
            mainModule: 'none.js',
            modulesRoot: '/',
            modules: { 'none.js': { type: 'esm', contents: 'export default {};' } },
          },
          env: Object.fromEntries(names.map((name) => [name, { type: 'd1', id: name }])),
        },
      },
    ],
    port: 0,
  });
  const bindings = await miniflare.getBindings<Record<string, D1Database>>();
  return {
    databases: names.map((name) => overProxy(bindings[name]!)),
    stop: () => miniflare.dispose(),
  };
}
