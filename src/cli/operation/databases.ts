import { group, serviceCommand } from '../command/command.ts';
import { confirm } from '../command/confirm.ts';
import { required, upper } from '../command/options.ts';
import { listing, operate } from '../command/request.ts';

interface Database {
  readonly name: string;
  readonly bytes: number;
  readonly migrations: readonly string[];
}

export const database = group('database', 'See the databases of the service', [
  listing<Database>({
    describe: 'List the databases and their sizes',
    path: '/v1/operator/databases',
    columns: ['name', 'bytes'],
    more: { MIGRATIONS: ({ migrations }) => migrations.length },
  }),
]);

export const restored = serviceCommand({
  command: 'restored',
  describe:
    'Run right after a database was restored to an earlier state: renews ETags, cache keys and ids',
  options: { database: { ...required('The binding of the database, such as DB'), coerce: upper } },
  async run(args, { client, context }) {
    const { database } = args;
    await confirm(
      context,
      args,
      client.service,
      `Has ${database} just been restored to an earlier state?`,
    );
    const path = `/v1/operator/databases/${encodeURIComponent(database)}/restored`;
    const result = await operate(client, context, args, 'POST', path);
    return { json: { database, result }, text: `Database ${database}: ${result}.\n` };
  },
});
