import { isMet, type Row, type Target } from './row.ts';

const HEADINGS = ['measure', 'what', 'Lindero', 'other', 'against', 'ratio', 'by CPU', 'target', ''];

/** The rows as a table for a terminal or a Markdown document. */
export function table(rows: readonly Row[]): string {
  const lines = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [heading, ...body] = lines.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`,
  );
  return [heading, rule, ...body].join('\n');
}

function cellsOf(row: Row): string[] {
  const met = isMet(row);
  return [
    row.measure,
    row.what,
    figure(row.ours, row.unit),
    row.other === null ? '' : figure(row.other, row.unit),
    row.against,
    row.ratio.toFixed(2),
    row.byProcessor?.toFixed(2) ?? '',
    row.target === null ? '' : targetText(row.target),
    met === null ? '' : met ? 'met' : 'missed',
  ];
}

function figure(value: number, unit: Row['unit']): string {
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)} ${unit}`.trim();
}

function targetText(target: Target): string {
  return 'atLeast' in target ? `at least ${target.atLeast}` : `at most ${target.atMost}`;
}
