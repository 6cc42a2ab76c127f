/** The key of the demo agency's reader. It is not a secret: only a local database has it. */
export const DEMO_KEY = 'lindero_demo-key-for-local-development-1';
