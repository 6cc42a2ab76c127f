/** The nodes of a record of a Kyero feed, with the XML between their tags; `null` omits a node. */
export type KyeroNodes = Readonly<Record<string, string | null>>;

/** The smallest complete record, with the given nodes instead of or in addition to its own. */
export function kyeroRecord(id: string, nodes: KyeroNodes = {}): string {
  const all: KyeroNodes = {
    id,
    date: '2026-03-04 05:06:07',
    ref: `R-${id}`,
    price: '250000',
    currency: 'EUR',
    price_freq: 'sale',
    type: 'Villa',
    town: 'Marbella',
    province: 'Málaga',
    ...nodes,
  };
  const lines = Object.entries(all).flatMap(([name, text]) =>
    text === null ? [] : [`  <${name}>${text}</${name}>\n`],
  );
  return `<property>\n${lines.join('')}</property>\n`;
}

/** A feed of these records; the first begins at line 4. */
export function kyeroFeed(records: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<root>
<kyero><feed_version>3</feed_version><feed_generated>2026-05-01 00:00:00</feed_generated></kyero>
${records.join('')}</root>
`;
}
