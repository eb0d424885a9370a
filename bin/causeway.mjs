#!/usr/bin/env node
// The command `causeway`: the verbs of src/cli on the pinned Node.
process.argv.splice(2, 0, 'src/cli/main.ts');
await import('./run.mjs');
