import { findUnitRevisions } from '../../db/deliveries.ts';
import { readerHoldings } from '../../deliveries/holding.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { Failure } from '../failure.ts';
import { holdingsText } from '../holdings.ts';

export const unitDeliveries = command({
  command: 'deliveries <development> <unit>',
  describe: 'Show which readers have the current state of a unit, and since when',
  examples: [['unit deliveries sol-azul A-101 --account DEMO', 'Which readers have the last change of unit A-101']],
  positionals: {
    development: { type: 'string', demandOption: true, describe: "The development's id" },
    unit: { type: 'string', demandOption: true, describe: "The unit's name" },
  },
  options: { account: ACCOUNT },
  async run(args, context) {
    const { development } = args;
    const name = args.unit.normalize('NFC');
    const deliveries = await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      const changed = await findUnitRevisions(env.DB, { accountId, development, name });
      if (changed === null) {
        throw new Failure('no_unit', `No property is the unit ${name} of development ${development}.`);
      }
      return readerHoldings(env.DB, accountId, changed);
    });
    return { json: { development, unit: name, deliveries }, text: holdingsText(deliveries) };
  },
});
