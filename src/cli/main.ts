import { Command } from 'commander';
import { importCommand } from './import-jsonl.ts';
import { reportFailure } from './report-failure.ts';
import { serveCommand } from './serve.ts';

const program = new Command('causeway')
  .description('A GraphQL memory server for AI agents.')
  .showHelpAfterError()
  .addCommand(serveCommand())
  .addCommand(importCommand());

try {
  await program.parseAsync();
} catch (error) {
  reportFailure(error);
}
