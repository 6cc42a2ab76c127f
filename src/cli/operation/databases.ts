import { group, serviceCommand } from '../command/command.ts';
import { confirm } from '../command/confirm.ts';
import { required } from '../command/options.ts';
import { list } from '../command/print.ts';

interface Database {
  readonly name: string;
  readonly bytes: number;
  readonly migrations: readonly string[];
}

export const database = group('database', 'See the databases of the service', [
  serviceCommand({
    command: 'list',
    describe: 'List the databases and their sizes',
    async run(_, { client }) {
      const { databases } = await client.get('/v1/operator/databases');
      return list<Database>('databases', databases, ['name', 'bytes'], {
        MIGRATIONS: ({ migrations }) => migrations.length,
      });
    },
  }),
]);

export const restored = serviceCommand({
  command: 'restored',
  describe:
    'Run right after a database was restored to an earlier state: renews ETags, cache keys and ids',
  options: { database: required('The binding of the database, such as DB') },
  async run(args, { client, context }) {
    const name = args.database.toUpperCase();
    await confirm(
      context,
      args,
      client.service,
      `Has ${name} just been restored to an earlier state?`,
    );
    const path = `/v1/operator/databases/${encodeURIComponent(name)}/restored`;
    const { detail } = await client.operation('POST', path, undefined, () => {});
    return { json: { database: name, result: detail }, text: `Database ${name}: ${detail}.\n` };
  },
});
