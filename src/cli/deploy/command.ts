import { spawnSync } from 'node:child_process';
import { MAX_DATABASES } from '../../databases/environments.ts';
import { CONFIG } from '../cloudflare/config.ts';
import { runWrangler, showWrangler } from '../cloudflare/wrangler.ts';
import { command } from '../command/command.ts';
import { noteChange } from '../command/ending.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { declareDatabases } from './databases.ts';
import { deploy } from './deploy.ts';
import { JURISDICTIONS, LOCATIONS, type Location } from './location.ts';

export const deployCommand = command({
  command: 'deploy',
  describe: 'Create or update the deployed service; after a failure at any step, it can be repeated',
  examples: [
    ['deploy --location weur --domain feeds.example.com', 'The first deployment'],
    ...Object.entries(LOCATIONS).map(([code, { name }]) => [`deploy --location ${code}`, name] as const),
    ...Object.entries(JURISDICTIONS).map(([code, { name }]) => [`deploy --jurisdiction ${code}`, name] as const),
    ['deploy --env staging --location weur', 'The environment staging of wrangler.toml, a service of its own'],
  ],
  options: {
    location: {
      choices: Object.keys(LOCATIONS),
      requiresArg: true,
      conflicts: 'jurisdiction',
      describe: 'Where the database is created, which cannot be changed later; required for the first deployment',
    },
    jurisdiction: {
      type: 'string',
      requiresArg: true,
      describe: 'Instead of a location: where data are stored and processed',
    },
    domain: {
      type: 'string',
      requiresArg: true,
      describe: 'Serve it at this domain, whose zone is in the Cloudflare account; later deployments keep it',
    },
    databases: {
      type: 'number',
      requiresArg: true,
      describe:
        'Declare further databases in wrangler.toml, up to 32, and create them: new accounts go to the emptiest',
    },
  },
  async run({ location, jurisdiction, domain, databases = 1, json }, context) {
    if (domain !== undefined && !/^([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(domain)) {
      throw usageFailure(`--domain must be a name such as feeds.example.com: ${domain}`);
    }
    if (!Number.isInteger(databases) || databases < 1 || databases > MAX_DATABASES) {
      throw usageFailure(`--databases must be a number from 1 to ${MAX_DATABASES}.`);
    }
    for (const script of ['types', 'build']) {
      const { status } = spawnSync('npm', ['run', '-s', script], { stdio: ['ignore', 2, 2] });
      if (status !== 0) throw new Failure('not_built', `Nothing was deployed: npm run ${script} failed.`);
    }
    noteChange();
    await declareDatabases(CONFIG, databases, process.env.CLOUDFLARE_ENV);
    const deployed = await deploy(placeOf(location, jurisdiction), domain?.toLowerCase(), {
      config: CONFIG,
      print: (line) => context.err(`${line}\n`),
      wrangler: json ? async (args) => void (await runWrangler(args, '')) : showWrangler,
    });
    return { json: { worker: deployed.worker, origin: deployed.origin }, text: deployed.next };
  },
});

function placeOf(location: string | undefined, jurisdiction: string | undefined): Location | undefined {
  if (location !== undefined) return { location };
  return jurisdiction === undefined ? undefined : { jurisdiction };
}
