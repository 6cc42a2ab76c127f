import { spawnSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { MAX_DATABASES } from '../../accounts/environments.ts';
import { CONFIG, readConfig } from '../cloudflare/config.ts';
import { runWrangler } from '../cloudflare/wrangler.ts';
import { command } from '../command/command.ts';
import { noteChange } from '../command/ending.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { choice, flag, number, text } from '../command/options.ts';
import { deploy as deployWorker } from './deploy.ts';
import { LOCATIONS } from './resources.ts';

export const deploy = command({
  command: 'deploy',
  describe:
    'Create or update the deployed service; after a failure at any step, it can be repeated',
  examples: {
    '--location weur --domain feeds.example.com': 'Deploy for the first time, near Western Europe',
    '--location weur': 'Create the database in Western Europe',
    '--location eeur': 'Create it in Eastern Europe',
    '--location wnam': 'Create it in Western North America',
    '--location enam': 'Create it in Eastern North America',
    '--location apac': 'Create it in Asia and the Pacific',
    '--location oc': 'Create it in Oceania',
    '--jurisdiction eu': 'Store and process data within the European Union only',
    '--jurisdiction us': 'Store and process data within the United States only',
    '--jurisdiction fedramp': 'Use FedRAMP-compliant data centers only',
    '--env staging --location weur':
      'Deploy the environment staging of wrangler.toml, a service of its own',
    '--rotate-keys': 'Sign access tokens with a new key',
    '--rotate-operator-key': "Replace the operator's key, which .lindero.json then has",
  },
  options: {
    location: {
      ...choice(
        Object.keys(LOCATIONS),
        'Where to create the database: required once, and cannot be changed later',
      ),
      conflicts: 'jurisdiction',
    },
    jurisdiction: text(
      'Instead of a location: the jurisdiction in which data are stored and processed',
    ),
    domain: text(
      'Serve it at this domain, whose zone is in the Cloudflare account; later deployments keep it',
    ),
    force: flag('Take the domain over from another Worker, or from a DNS record'),
    databases: {
      ...number(
        'How many databases to have: missing ones are declared in wrangler.toml and created; new accounts go to the emptiest',
      ),
      default: 1,
    },
    'rotate-keys': flag(
      'Sign access tokens with a new key; those of the previous key stay valid until they expire',
    ),
    'rotate-operator-key': flag(
      "Replace the operator's key; the former one stays valid until the next replacement",
    ),
  },
  async run({ location, jurisdiction, domain, databases, force, json: isJson, ...args }, context) {
    if (domain !== undefined && !/^([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(domain)) {
      throw usageFailure(`--domain must be a name such as feeds.example.com: ${domain}`);
    }
    if (!Number.isInteger(databases) || databases < 1 || databases > MAX_DATABASES) {
      throw usageFailure(`--databases must be an integer from 1 to ${MAX_DATABASES}.`);
    }
    for (const script of ['types', 'build']) runScript(script);
    noteChange();
    // The types of the bindings, which the next deployment compares with wrangler.toml, then have
    // the new databases too.
    if (await declareDatabases(CONFIG, databases)) runScript('bindings');
    const isAsked = (location ?? jurisdiction) !== undefined;
    const asked = {
      location: isAsked ? { location, jurisdiction } : undefined,
      domain: domain?.toLowerCase(),
      force,
      rotateKeys: args['rotate-keys'],
      rotateOperatorKey: args['rotate-operator-key'],
    };
    const { next, ...json } = await deployWorker(asked, {
      config: CONFIG,
      directory: context.directory,
      print: (line) => context.err(`${line}\n`),
      wrangler: (args) => runWrangler(args, '', !isJson),
    });
    return { json, text: next };
  },
});

function runScript(script: string): void {
  const { status } = spawnSync('npm', ['run', '-s', script], { stdio: ['ignore', 2, 2] });
  if (status !== 0)
    throw new Failure('not_built', `Nothing was deployed: npm run ${script} failed.`);
}

/**
 * Declares further databases in `wrangler.toml`, up to a number, so that later deployments and
 * commands know them, too.
 *
 * @returns whether any was missing
 */
export async function declareDatabases(path: string, count: number): Promise<boolean> {
  const { d1_databases: declared } = await readConfig(path);
  const { database_name: name, migrations_dir: migrations = 'migrations' } = declared[0]!;
  const table = process.env.CLOUDFLARE_ENV
    ? `env.${process.env.CLOUDFLARE_ENV}.d1_databases`
    : 'd1_databases';
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
