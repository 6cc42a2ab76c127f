import type { Child } from 'hono/jsx';
import { ButtonForm } from '../frame/form.tsx';
import { Card, Copyable, Facts, Notice } from '../frame/parts.tsx';
import { useTexts } from '../visit.ts';

interface SecretCardProps {
  /** What is shown, by name, each to be copied. */
  readonly values: Readonly<Record<string, string>>;
  /** What values are called, if not by their names. */
  readonly names?: Readonly<Record<string, string>>;
  /** Why it must be copied now. */
  readonly why: string;
  /** What else leads on. */
  readonly children?: Child;
}

/** What no other page shows, with the button that ends that it can be looked at. */
export function SecretCard({ values, names = {}, why, children }: SecretCardProps) {
  const texts = useTexts('settings');
  return (
    <Card title={texts.once}>
      {Object.entries(values).map(([name, text]) => (
        <Facts kind="tall" facts={[[names[name] ?? name, <Copyable id={name} text={text} />]]} />
      ))}
      <Notice kind="warn">{why}</Notice>
      <div class="actions">
        {children}
        <ButtonForm buttons={[{ does: 'done', text: texts.done, kind: 'primary' }]} />
      </div>
    </Card>
  );
}
