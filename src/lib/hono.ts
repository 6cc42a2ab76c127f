import type { Env, Schema } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import type { BlankEnv, BlankSchema } from 'hono/types';

/**
 * Hono with one router, which tells `/docs` from `/docs/`: by default it has a second one that is faster for thousands of
 * requests and takes time and bytes of the script at the start.
 */
export class Hono<
  Bindings extends Env = BlankEnv,
  Routes extends Schema = BlankSchema,
  BasePath extends string = '/',
> extends HonoBase<Bindings, Routes, BasePath> {
  constructor() {
    super();
    this.router = new TrieRouter();
  }
}
