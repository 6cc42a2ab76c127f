import { listDeliveries } from '../../db/deliveries.ts';
import { findReader } from '../../db/readers.ts';
import { feedView, readerView } from '../../readers/view.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { count, table } from '../print.ts';
import { noReader, presetText, READER } from '../reader.ts';

/** Days of which the text has the counts; the JSON document has all. */
const SHOWN_DAYS = 7;

export const showReaderCommand = command({
  command: 'show <reader>',
  describe: 'Show a reader, and what it was given of each feed: last delivery, last visit, counts by day',
  examples: [['reader show idealista --account COSTA', 'When idealista last fetched the feed']],
  positionals: { reader: READER },
  options: { account: ACCOUNT },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    const { reader, deliveries } = await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      const found = await findReader(env.DB, { accountId, name });
      if (found === null) throw noReader(args);
      return { reader: found, deliveries: await listDeliveries(env.DB, accountId, [name]) };
    });
    const view = readerView(reader, deliveries, Math.floor(context.now().getTime() / 1_000));
    const feeds = deliveries.map(feedView);
    const state = view.disabled ? 'disabled' : view.late ? 'late' : 'enabled';
    const lines = [
      ['reader', view.name],
      ['preset', presetText(view)],
      ['channel', view.channel ?? 'none'],
      ['keys', count(view.keys, 'key')],
      ['last visit', view.last_visit_at ?? 'never'],
      ['usual interval', view.usual_interval === null ? 'unknown' : count(view.usual_interval, 'second')],
      ['state', state],
    ].map(
      ([label, value]) => `${`${label}:`.padEnd(16)}${value}
`,
    );
    return { json: { ...view, feeds }, text: lines.join('') + feeds.map(feedText).join('') };
  },
});

function feedText({ feed, last_delivery: last, last_visit_at, days }: ReturnType<typeof feedView>): string {
  const delivery =
    last === null
      ? 'never'
      : `${last.at}, ${last.status}, ${count(last.bytes, 'byte')}, ${last.origin}, revisions ${last.sale_revision ?? '-'}/${last.rental_revision ?? '-'}`;
  const counts = table(
    ['  DAY', 'FULL', 'NOT MODIFIED'],
    days.slice(0, SHOWN_DAYS).map(({ date, full, not_modified }) => [`  ${date}`, full, not_modified]),
  );
  return `
${feed}
  last delivery: ${delivery}
  last visit:    ${last_visit_at}
${counts}`;
}
