/** A figure of a run; `isMet` if there is a requirement. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  readonly required?: string;
  readonly isMet?: boolean;
}

/** The figures as a table in Markdown. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, value, required = '', isMet }) => [
    what,
    value,
    required,
    isMet === undefined ? '' : isMet ? 'met' : 'missed',
  ]);
  const lines = [['figure', 'value', 'required', ''], ['---', '---:', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
