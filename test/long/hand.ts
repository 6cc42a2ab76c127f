import type { Locator, Page } from 'playwright-core';

/** What a job takes at most. */
export interface Effort {
  readonly clicks: number;
  /** Keys that are pressed, of which characters are most. */
  readonly keys: number;
}

/** A file that is chosen in the browser's dialog. */
export interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/**
 * Seconds of the keystroke-level model (Card, Moran and Newell, 1980, https://doi.org/10.1145/358886.358895): pointing takes 1.1,
 * pressing and releasing a button 0.2, a key 0.28 (forty words a minute), and moving the hand between mouse and keyboard 0.4.
 */
const CLICK_SECONDS = 1.3;
const KEY_SECONDS = 0.28;
const HOMING_SECONDS = 0.4;

/** What a dialog of files takes: the button that opens it, the files (all of a folder by Ctrl+A), and the one that closes it. */
const DIALOG = { clicks: 3, keys: 1 };

/** Somebody's hand at mouse and keyboard, which counts what it does. */
export class Hand {
  clicks = 0;
  keys = 0;
  /** How often it has moved between the two. */
  homings = 0;
  #isAtKeyboard = false;

  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** What typing and clicking have taken so far, in modelled seconds. */
  get seconds(): number {
    const { clicks, keys, homings } = this;
    return clicks * CLICK_SECONDS + keys * KEY_SECONDS + homings * HOMING_SECONDS;
  }

  #count(clicks: number, keys: number): void {
    const isAtKeyboard = keys > 0;
    if (this.#isAtKeyboard !== isAtKeyboard) this.homings++;
    this.#isAtKeyboard = isAtKeyboard;
    this.clicks += clicks;
    this.keys += keys;
  }

  async click(target: Locator): Promise<void> {
    this.#count(1, 0);
    await target.click();
  }

  /** Clicks what leads to another page. */
  async follow(target: Locator): Promise<void> {
    const { page } = this;
    await Promise.all([page.waitForEvent('load'), this.click(target)]);
  }

  link(name: string | RegExp): Promise<void> {
    return this.follow(this.page.getByRole('link', { name }).first());
  }

  button(name: string | RegExp): Promise<void> {
    return this.follow(this.page.getByRole('button', { name, exact: true }).first());
  }

  /** Opens a choice, and clicks one of its options. */
  async choose(select: Locator, option: string): Promise<void> {
    this.#count(2, 0);
    await select.selectOption({ label: option });
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#count(0, 1);
      await this.page.keyboard.press(key);
    }
  }

  /** Types where the focus is; what is selected there is replaced. */
  async type(text: string): Promise<void> {
    this.#count(0, text.length);
    await this.page.keyboard.type(text);
  }

  /** Types one text after another, each in the next field of the page. */
  async typeOn(texts: readonly string[]): Promise<void> {
    for (const [index, text] of texts.entries()) {
      if (index > 0) await this.press('Tab');
      await this.type(text);
    }
  }

  /** Clicks a field and types into it instead of what it has. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.click(field);
    if ((await field.inputValue()) !== '') await this.press('Control+A');
    await this.type(text);
  }

  /** Clicks a field and pastes what was copied somewhere else. */
  async paste(field: Locator, text: string): Promise<void> {
    await this.click(field);
    this.#count(0, 1);
    await this.page.keyboard.insertText(text);
  }

  /** Chooses files in the dialog that a field opens. */
  async chooseFiles(field: Locator, files: readonly ChosenFile[]): Promise<void> {
    this.#count(DIALOG.clicks, 0);
    this.#count(0, DIALOG.keys);
    await field.setInputFiles([...files]);
  }
}
