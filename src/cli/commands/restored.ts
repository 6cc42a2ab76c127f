import { advanceIncarnation } from '../../db/operator/restored.ts';
import { command, withEnv } from '../command/command.ts';
import { databasesOf } from '../command/databases.ts';
import { usageFailure } from '../command/failure.ts';
import { required } from '../command/options.ts';

export const restored = command({
  command: 'restored',
  describe: 'Call it right after a database was restored to an earlier state: it makes ETags, cache keys and ids new',
  options: { database: required('The binding of the database') },
  async run(args, context) {
    const name = args.database.toUpperCase();
    const incarnation = await withEnv(context, args, (env) => {
      const all = databasesOf(env);
      const database = all.find((each) => each.name === name);
      if (database === undefined) {
        throw usageFailure(`--database must be one of ${all.map((each) => each.name).join(', ')}: ${name}`);
      }
      return advanceIncarnation(database, all);
    });
    return { json: { database: name, incarnation }, text: `Database ${name} has the incarnation ${incarnation}.\n` };
  },
});
