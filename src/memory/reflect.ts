import { STANDING_PATH } from './briefing-store.ts';
import { type Caller, requireScope } from './caller.ts';
import { MAX_STANDING_PAGES } from './judge-answer.ts';
import { type LanguageModel, ModelNotConfiguredError } from './language-model.ts';
import {
  maintain,
  type Reflection,
  type ReflectOptions,
  type ReflectStores,
} from './maintain-standing.ts';
import { type Page, type Project, sensitivityRank } from './page.ts';
import { requireProject } from './readable-projects.ts';
import {
  chooseSessions,
  REFLECT_INSTRUCTIONS,
  readAnswers,
  toReflectRequest,
} from './reflect-prompt.ts';
import { digest } from './standing-page.ts';
import type { Stores } from './stores.ts';

/** The last sessions that a pass looks at. */
export const MAX_REFLECTED_SESSIONS = 20;

/**
 * Has a model read the last sessions of a project, and maintains its standing pages by what it says:
 * a page is rewritten only when what it rests on has changed, there is one for each answer, and what
 * somebody else has written there stays.
 *
 * The model is asked once for each sensitivity of the sessions, lowest first, and shown nothing above
 * it; so no page says what its readers may not read. It is not asked where no session is new.
 *
 * Costs at most three statements for each sensitivity up to the clearance, and for each
 * page that is written one write and one statement.
 *
 * @throws {ForbiddenError} without the scopes `memory:read` and `memory:write`
 * @throws {NotFoundError} for a project that the caller does not see
 * @throws {ModelNotConfiguredError} if there is no model
 * @throws {ModelAnswerInvalidError} if the model answers something else; what it said is not written
 * @throws what `LanguageModel.complete` throws
 */
export async function reflect(
  stores: ReflectStores,
  caller: Caller,
  { project: name }: { readonly project: string },
  options: ReflectOptions,
): Promise<Reflection> {
  requireScope(caller, 'memory:read');
  requireScope(caller, 'memory:write');
  const project = requireProject(options.projects, name, 'project');
  const { model } = stores;
  if (model === null) throw new ModelNotConfiguredError();

  const passes: Reflection[] = [];
  for (let sensitivity = 0; sensitivity <= caller.view.clearance; sensitivity++) {
    const pass = await reflectUpTo(sensitivity, { ...stores, model }, caller, project, options);
    if (pass !== null) passes.push(pass);
  }
  const total = (count: (pass: Reflection) => number) =>
    passes.reduce((sum, pass) => sum + count(pass), 0);
  return {
    asked: passes.length > 0,
    written: total(({ written }) => written),
    unchanged: total(({ unchanged }) => unchanged),
    keptHuman: total(({ keptHuman }) => keptHuman),
    refused: total(({ refused }) => refused),
    droppedSources: total(({ droppedSources }) => droppedSources),
    answers: passes.flatMap(({ answers }) => answers),
    graphSequence: passes.findLast((pass) => pass.graphSequence !== null)?.graphSequence ?? null,
  };
}

/** Null where no session of this very sensitivity is new. */
async function reflectUpTo(
  sensitivity: number,
  stores: ReflectStores & { readonly model: LanguageModel },
  caller: Caller,
  project: Project,
  options: ReflectOptions,
): Promise<Reflection | null> {
  const { view } = caller;
  const { pages, reflections, redactor, model } = stores;
  const key = { projectId: project.id, sensitivity };
  const sessions = chooseSessions(await listSessions(stores, caller, key));
  if (sessions.every((page) => sensitivityRank(page.sensitivity) < sensitivity)) return null;
  const seen = digest(
    [REFLECT_INSTRUCTIONS, ...sessions.map(({ id, version }) => `${id}@${version}`)].join('\n'),
  );
  if ((await reflections.findDigest(view, key)) === seen) return null;

  const { pages: standing } = await pages.list(view, {
    filter: { projectIds: [project.id], pathPrefix: STANDING_PATH },
    order: { field: 'PATH', direction: 'ASC' },
    first: MAX_STANDING_PAGES,
    after: null,
  });
  const shown = standing.filter(
    (page) => page.status === 'ACTIVE' && sensitivityRank(page.sensitivity) <= sensitivity,
  );
  const asked = toReflectRequest({ sessions, standing: shown }, sensitivity, redactor);
  const answers = readAnswers(await model.complete(asked));

  const ground = { project, sensitivity, sessions, standing, redactor };
  const reflection = await maintain(stores, caller, ground, answers, options);
  await reflections.putDigest(view, key, seen);
  return reflection;
}

/** Active pages of kind `SESSION` that are no standing answers themselves; newest first. */
async function listSessions(
  { pages }: Pick<Stores, 'pages'>,
  { view }: Caller,
  { projectId, sensitivity }: { readonly projectId: string; readonly sensitivity: number },
): Promise<readonly Page[]> {
  const found = await pages.list(view, {
    filter: {
      projectIds: [projectId],
      kinds: ['SESSION'],
      sensitivityCeiling: sensitivity,
      excludeArchived: true,
      excludeSuperseded: true,
    },
    order: { field: 'RECORDED_AT', direction: 'DESC' },
    first: MAX_REFLECTED_SESSIONS,
    after: null,
  });
  return found.pages.filter(
    ({ status, path }) => status === 'ACTIVE' && !path.startsWith(`${STANDING_PATH}/`),
  );
}
