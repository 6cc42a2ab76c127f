import { runBundled } from './bundle.mjs';

await runBundled('assets.ts');
