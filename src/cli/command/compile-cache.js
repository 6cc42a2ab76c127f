/**
 * Keeps the compiled code of this process's modules, and of those of wrangler that it starts, from one run to the next. It only
 * helps modules that are loaded after this one, and is JavaScript, as the program's entry is: what removes the types of a module
 * that is not cached takes 13 MB of memory. The folder is the project's own: code from the system's temporary one, Node's
 * default, could be another user's.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

process.env.NODE_COMPILE_CACHE ??= join(
  import.meta.dirname,
  '../../../node_modules/.cache/compiled',
);
enableCompileCache();
