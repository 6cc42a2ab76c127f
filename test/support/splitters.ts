/** Splits a file into statements. */
export type Splitter = (sql: string) => string[];

/**
 * Models of the statement splitters that are known from public reports to split triggers. A file that all
 * of them split into the same statements is safe wherever it is applied.
 */
export const SPLITTERS: Readonly<Record<string, Splitter>> = {
  /** Knows nothing of triggers (emdash-cms/emdash 3301, arul28/ADE 935, botiverse/hands 327). */
  'at each semicolon that ends a line outside quotes': (sql) => {
    const statements: string[] = [];
    let [statement, quoted] = ['', false];
    for (const line of sql.split('\n')) {
      statement += `${line}\n`;
      const code = quoted ? line : line.replace(/--.*$/, '');
      for (const _ of code.matchAll(/'/g)) quoted = !quoted;
      if (quoted || !code.trimEnd().endsWith(';')) continue;
      statements.push(statement);
      statement = '';
    }
    return withoutEmpty([...statements, statement]);
  },

  /**
   * Assumes that a trigger begins at an upper-case BEGIN and ends at the first END, which may be that of a CASE
   * (botiverse/hands 328, SlopDotCash/slopdotcash 157, workers-sdk 15314).
   */
  'at the first END of a trigger': (sql) => {
    const statements: string[] = [];
    let rest = sql;
    while (rest !== '') {
      const [begin] = /^[^;]*\sBEGIN\s/.exec(rest) ?? [];
      const [statement] = (begin === undefined ? /^[^;]*;?/ : /^[\s\S]*?\sEND\b;?/).exec(rest) ?? [rest];
      statements.push(statement);
      rest = rest.slice(statement.length);
    }
    return withoutEmpty(statements);
  },
};

function withoutEmpty(statements: readonly string[]): string[] {
  return statements.filter((statement) => statement.replaceAll(/--.*/g, '').trim() !== '');
}
