import { findPropertyRevisions } from '../../db/deliveries.ts';
import { readerHoldings } from '../../deliveries/holding.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { Failure } from '../failure.ts';
import { holdingsText } from '../holdings.ts';

export const propertyDeliveries = command({
  command: 'deliveries <property>',
  describe: 'Show which readers have the current state of a property, and since when',
  examples: [['property deliveries R4100001 --account DEMO', 'Which readers have the last change of R4100001']],
  positionals: { property: { type: 'string', demandOption: true, describe: "The property's id" } },
  options: { account: ACCOUNT },
  async run(args, context) {
    const deliveries = await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      const changed = await findPropertyRevisions(env.DB, accountId, args.property);
      if (changed === null) {
        const account = args.account.toUpperCase();
        throw new Failure('no_property', `Property not found in account ${account}: ${args.property}`);
      }
      return readerHoldings(env.DB, accountId, changed);
    });
    return { json: { property: args.property, deliveries }, text: holdingsText(deliveries) };
  },
});
