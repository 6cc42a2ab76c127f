import { spawnSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { MAX_DATABASES } from '../../databases/environments.ts';
import { CONFIG, readConfig } from '../cloudflare/config.ts';
import { runWrangler, showWrangler } from '../cloudflare/wrangler.ts';
import { command } from '../command/command.ts';
import { noteChange } from '../command/ending.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { choice, integer, number, text } from '../command/options.ts';
import { deploy } from './deploy.ts';
import { LOCATIONS } from './location.ts';

export const deployCommand = command({
  command: 'deploy',
  describe: 'Create or update the deployed service; after a failure at any step, it can be repeated',
  options: {
    location: {
      ...choice(
        Object.keys(LOCATIONS),
        'Where the database is created, which cannot be changed later; required for the first deployment',
      ),
      conflicts: 'jurisdiction',
    },
    jurisdiction: text('Instead of a location: where data are stored and processed'),
    domain: text('Serve it at this domain, whose zone is in the Cloudflare account; later deployments keep it'),
    databases: number(
      1,
      'Declare further databases in wrangler.toml, and create them: new accounts go to the emptiest',
      integer(1, MAX_DATABASES),
    ),
  },
  async run({ location, jurisdiction, domain, databases, json }, context) {
    if (domain !== undefined && !/^([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(domain)) {
      throw usageFailure(`--domain must be a name such as feeds.example.com: ${domain}`);
    }
    for (const script of ['types', 'build']) runScript(script);
    noteChange();
    // The types of the bindings, which the next deployment compares with wrangler.toml, then have the new databases too.
    if (await declareDatabases(CONFIG, databases)) runScript('bindings');
    const asked = location ?? jurisdiction;
    const deployed = await deploy(asked === undefined ? undefined : { location, jurisdiction }, domain?.toLowerCase(), {
      config: CONFIG,
      print: (line) => context.err(`${line}\n`),
      wrangler: json ? async (args) => void (await runWrangler(args, '')) : showWrangler,
    });
    return { json: { worker: deployed.worker, origin: deployed.origin }, text: deployed.next };
  },
});

function runScript(script: string): void {
  const { status } = spawnSync('npm', ['run', '-s', script], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Failure('not_built', `Nothing was deployed: npm run ${script} failed.`);
}

/**
 * Declares further databases in `wrangler.toml`, up to a number, so that later deployments and commands know them, too.
 *
 * @returns whether any was missing
 */
export async function declareDatabases(path: string, count: number): Promise<boolean> {
  const { d1_databases: declared } = await readConfig(path);
  const { database_name: name, migrations_dir: migrations = 'migrations' } = declared[0]!;
  const table = process.env.CLOUDFLARE_ENV ? `env.${process.env.CLOUDFLARE_ENV}.d1_databases` : 'd1_databases';
  const missing = Array.from({ length: count - 1 }, (_, index) => index + 2).filter(
    (number) => !declared.some(({ binding }) => binding === `DB_${number}`),
  );
  const blocks = missing.map(
    (number) => `
[[${table}]]
binding = "DB_${number}"
database_name = "${name}-${number}"
migrations_dir = "${migrations}"
`,
  );
  await appendFile(path, blocks.join(''));
  return missing.length > 0;
}
