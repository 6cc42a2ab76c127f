import { type SQL, sql } from 'drizzle-orm';

interface Kind {
  /** What the subject is. */
  readonly subject: string;
  /** Whether somebody at the agency should look: the console's home then no longer says that all is as usual. */
  readonly isTrouble: boolean;
}

/** The news of an account that are no changes of its properties and units, and are numbered with these: webhooks report them. */
export const ACCOUNT_EVENTS = {
  'import.finished': { subject: 'the import', isTrouble: false },
  'import.failed': { subject: 'the import', isTrouble: true },
  'reader.overdue': {
    subject: 'the reader that has not come for three of its usual intervals',
    isTrouble: true,
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type AccountEvent = keyof typeof ACCOUNT_EVENTS;

/**
 * The statements that add news, each with the next number of its account. They belong into the transaction of what has happened;
 * a task `webhooks` for the account then has it told at once.
 *
 * @param about a query of what has happened: a row with `account_id` and `subject` for each
 */
export function eventStatements(type: AccountEvent, about: SQL): SQL[] {
  return [
    sql`
      INSERT INTO account_events (account_id, change, type, subject)
      SELECT a.id, a.changes + row_number() OVER (PARTITION BY a.id ORDER BY n.subject), ${type}, n.subject
        FROM (${about}) n JOIN accounts a ON a.id = n.account_id`,
    sql`
      UPDATE accounts SET changes = changes + n
        FROM (SELECT account_id, count(*) AS n FROM (${about}) GROUP BY 1) WHERE id = account_id`,
  ];
}
