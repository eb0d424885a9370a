import { Command } from 'commander';
import { reportFailure } from './report-failure.ts';

const program = new Command('causeway')
  .description('A GraphQL memory server for AI agents.')
  .showHelpAfterError();

// A verb is loaded when it is asked for: an import needs nothing of what serves.
program
  .command('serve')
  .description('Opens the store and serves GraphQL and GraphiQL. Set up by CAUSEWAY_… variables.')
  .action(async () => (await import('./serve.ts')).serve());

program
  .command('mcp')
  .description(
    'Opens the store and serves its tools to one agent over standard input and output (MCP). A running server does the same at /mcp.',
  )
  .option('--project <name>', 'the project of calls that name none; made when it is not there')
  .action(async (options) => (await import('./mcp.ts')).mcp(options));

program
  .command('import')
  .description('Brings pages and edges into the store.')
  .command('jsonl')
  .description(
    'Reads pages and edges, one JSON object a line. Give the same file again after a break: what is there already is not written twice.',
  )
  .argument('<file>', 'a .jsonl file, or .jsonl.gz')
  .requiredOption('--project <name>', 'the project to write to; made when it is not there')
  .option('--json', 'prints the counts as JSON', false)
  .action(async (file, options) => (await import('./import-jsonl.ts')).importFile(file, options));

program
  .command('reindex')
  .description(
    'Makes keyword indexes and vectors anew from what is stored, after an upgrade or another embedder. Serves nothing meanwhile.',
  )
  .option('--json', 'prints the counts as JSON', false)
  .action(async (options) => (await import('./reindex.ts')).reindex(options));

program
  .command('redact')
  .description(
    'Redacts secrets in what is stored already, after an upgrade or with new patterns, and makes the search indexes anew. Says what it changed, and never the secret.',
  )
  .option('--json', 'prints the counts as JSON', false)
  .action(async (options) => (await import('./redact.ts')).redact(options));

program
  .command('lint')
  .description(
    'Says what wants mending in a project: contradictions, dangling links, orphans and more, each with a way to mend it. Ends with 1 when some of it is a warning.',
  )
  .requiredOption('--project <name>', 'the project to look at')
  .option(
    '--rule <name>',
    'this rule alone, as UNRESOLVED_CONTRADICTION; may be given again for more',
    collect,
    [],
  )
  .option('--json', 'prints each finding as JSON, a line for each', false)
  .action(async (options) => (await import('./lint.ts')).lintProject(options));

program
  .command('reflect')
  .description(
    'Has the language model of CAUSEWAY_MODEL_URL read the last sessions of a project, and maintains its standing answers. Asks nothing when no session is new.',
  )
  .requiredOption('--project <name>', 'the project to reflect on')
  .option('--json', 'prints what became of each answer as JSON', false)
  .action(async (options) => (await import('./reflect.ts')).reflectOn(options));

const token = program.command('token').description('API keys: who may call this server.');

token
  .command('create')
  .description(
    'Makes an API key and shows it once. Needs CAUSEWAY_TOKEN_SECRET, the same as the server.',
  )
  .requiredOption('--name <name>', 'who calls with it')
  .option('--tenant <name>', 'the tenant that they are in', 'local')
  .option(
    '--scope <scope>',
    'memory:read (the default), memory:write or memory:admin; may be given again for more',
    collect,
    [],
  )
  .option(
    '--project <name>',
    'a project that they may use; may be given again for more',
    collect,
    [],
  )
  .option('--all-projects', 'every project of the tenant, also those to come')
  .option(
    '--clearance <sensitivity>',
    'the most sensitive pages that they may read and write',
    'INTERNAL',
  )
  .option('--days <number>', 'until it expires, 1 to 3650', '90')
  .option('--json', 'prints the key and what it may do as JSON', false)
  .action(async (options) => (await import('./token.ts')).createToken(options));

token
  .command('list')
  .description(
    'Says whose keys there are, until when, and when each was used last. No key is shown.',
  )
  .option('--tenant <name>', 'of this tenant alone')
  .option('--json', 'prints each key as JSON, a line for each', false)
  .action(async (options) => (await import('./token.ts')).listTokens(options));

token
  .command('revoke')
  .description('Ends a key. Servers refuse it at once, and end the subscriptions that it opened.')
  .argument('<id>', 'its id: the part between the underscores, which `list` shows')
  .option('--json', 'prints what is known of it as JSON', false)
  .action(async (id, options) => (await import('./token.ts')).revokeToken(id, options));

const graph = program.command('graph').description('The graph that Neo4j serves.');

graph
  .command('rebuild')
  .description(
    'Makes the graph in Neo4j anew from the ledger, beside the one that is read, and swaps it in when its counts agree.',
  )
  .option(
    '--tenant <name>',
    'this tenant alone; all that the ledger has when left out. One that only the graph has is emptied',
  )
  .option('--json', 'prints the counts as JSON, a line for each tenant', false)
  .action(async (options) => (await import('./graph.ts')).rebuild(options));

graph
  .command('verify')
  .description(
    'Compares the graph in Neo4j with the ledger by counts and checksums, and names what differs. Ends with 1 when something does.',
  )
  .option(
    '--tenant <name>',
    'this tenant alone; all that the ledger or the graph has when left out',
  )
  .option('--json', 'prints what was compared as JSON, a line for each tenant', false)
  .action(async (options) => (await import('./graph.ts')).verify(options));

program
  .command('doctor')
  .description(
    'Checks the configuration and the services that it names, and says how to mend what is wrong. Ends with 1 when something is.',
  )
  .option('--json', 'prints the findings as JSON', false)
  .action(async (options) => (await import('./doctor.ts')).doctor(options));

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

try {
  await program.parseAsync();
} catch (error) {
  reportFailure(error);
}
