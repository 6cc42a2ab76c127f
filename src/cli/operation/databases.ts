import { group } from '../command/command.ts';
import { required, upper } from '../command/options.ts';
import { listing, request } from '../command/request.ts';

export const database = group('database', 'See the databases of the service', [
  listing({
    describe: 'List the databases and their sizes',
    examples: { '--env production': 'List the databases with their sizes' },
    path: '/v1/operator/databases',
    columns: ['name', 'bytes'],
    more: { MIGRATIONS: ({ migrations }) => migrations.length },
  }),
]);

export const restored = request({
  command: 'restored',
  describe:
    'Run right after a database was restored to an earlier state: renews ETags, cache keys and ids',
  examples: {
    '--database DB --env production': 'Run it after npx wrangler d1 time-travel restore DB',
  },
  options: { database: { ...required('The binding of the database, such as DB'), coerce: upper } },
  method: 'POST',
  path: '/v1/operator/databases/{database}/restored',
  question: ({ database }) => `Has ${database} just been restored to an earlier state?`,
  print: ({ detail: result }, { database }) => ({
    json: { database, result },
    text: `Database ${database}: ${result}.\n`,
  }),
});
