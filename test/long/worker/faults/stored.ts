import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { TestAgency } from './agency.ts';

interface Change {
  readonly unit: string;
  readonly before: string;
  readonly after: string;
}

/** Checks that each unit is as its last acknowledged update left it, and that its history has every update once. */
export async function checkStored({ accountId, units }: TestAgency): Promise<void> {
  const { results: changes } = await env.DB.prepare(
    `SELECT u.name AS unit, json_array(h.from_status, h.from_price, json(h.from_directions)) AS before,
            json_array(h.to_status, h.to_price, json(h.to_directions)) AS after
       FROM unit_history h JOIN units u ON u.id = h.unit_id WHERE h.account_id = ? ORDER BY h.version`,
  )
    .bind(accountId)
    .all<Change>();
  for (const [name, { all }] of units) {
    const states = all.map(({ status, price, directions }) =>
      JSON.stringify([status, price, directions]),
    );
    const own = changes.filter(({ unit }) => unit === name);
    const shown = (texts: string[]) => texts.map((text) => JSON.stringify(JSON.parse(text)));
    expect(shown(own.map(({ after }) => after)), name).toEqual(states.slice(1));
    expect(shown(own.map(({ before }) => before)), name).toEqual(states.slice(0, -1));
  }
}
