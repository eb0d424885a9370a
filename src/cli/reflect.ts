import { hintsEnabled, readConfig } from '../config.ts';
import { createAccess } from '../memory/access.ts';
import type { Reflection } from '../memory/maintain-standing.ts';
import { LOCAL_PRINCIPAL } from '../memory/principal.ts';
import { reflect } from '../memory/reflect.ts';
import { openStores } from '../open-stores.ts';

/** Has the configured model bring the standing answers of a project up to date, and says what became of each. */
export async function reflectOn({
  project,
  json,
}: {
  readonly project: string;
  readonly json: boolean;
}): Promise<void> {
  const { stores, close } = await openStores({ ...readConfig(process.env), neo4j: null });
  try {
    const { caller, projects } = await createAccess(stores, LOCAL_PRINCIPAL).toWrite();
    const reflection = await reflect(
      stores,
      caller,
      { project },
      { projects, hintsEnabled: () => hintsEnabled(process.env) },
    );
    process.stdout.write(json ? `${JSON.stringify(reflection)}\n` : describe(reflection));
  } finally {
    await close();
  }
}

function describe({ asked, answers, ...counts }: Reflection): string {
  if (!asked) return 'no session is new since the last time: the model was not asked\n';
  const lines = answers.map(
    ({ outcome, path, reason }) => `${outcome.padEnd(10)}  ${path ?? 'no page'}: ${reason}`,
  );
  const { written, unchanged, keptHuman, refused, droppedSources } = counts;
  return [
    ...lines,
    `${written} written, ${unchanged} unchanged, ${keptHuman} kept as somebody else wrote them, ${refused} refused; sources dropped: ${droppedSources}`,
    '',
  ].join('\n');
}
