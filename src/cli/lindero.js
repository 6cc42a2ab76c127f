import './command/compile-cache.js';

await import('./main.ts');
