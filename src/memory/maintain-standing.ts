import type { Caller } from './caller.ts';
import { HintsDisabledError, InvalidInputError, NotFoundError } from './errors.ts';
import { findSources, type Ground, judgeAnswer } from './judge-answer.ts';
import type { Page, PageId } from './page.ts';
import type { ReadableProjects } from './readable-projects.ts';
import { MAX_ANSWERS, type StandingAnswer } from './reflect-prompt.ts';
import type { Stores } from './stores.ts';
import { VersionConflictError } from './write-conflicts.ts';
import { writePages } from './write-pages.ts';

/** What became of an answer of the model. */
export const REFLECT_OUTCOMES = ['WRITTEN', 'UNCHANGED', 'KEPT_HUMAN', 'REFUSED'] as const;
export type ReflectOutcome = (typeof REFLECT_OUTCOMES)[number];

export type ReflectedAnswer = {
  readonly outcome: ReflectOutcome;
  /** The standing page; null where the answer was refused, or the page came only just now. */
  readonly pageId: PageId | null;
  readonly path: string | null;
  /** Why it is so, as a sentence. */
  readonly reason: string;
};

export type Reflection = {
  /** False when there was no session that the last pass had not read: then nothing else happened. */
  readonly asked: boolean;
  readonly written: number;
  readonly unchanged: number;
  readonly keptHuman: number;
  readonly refused: number;
  /** Sources that the model named and had not been shown. */
  readonly droppedSources: number;
  /** The first 20 of each asking. */
  readonly answers: readonly ReflectedAnswer[];
  /** Of the last write; null where nothing was written. */
  readonly graphSequence: number | null;
};

/** All that reflecting asks for; the model may be another one for each call, as a client's own. */
export type ReflectStores = Pick<
  Stores,
  'pages' | 'writer' | 'embedder' | 'redactor' | 'reflections' | 'model'
>;

export type ReflectOptions = {
  readonly projects: ReadableProjects;
  readonly hintsEnabled: () => boolean;
};

/**
 * Brings standing pages to what a model's answers say. Each answer is a write of its own: where
 * somebody else is quicker with one page, theirs stands, and that one alone.
 */
export async function maintain(
  stores: ReflectStores,
  caller: Caller,
  ground: Ground,
  answers: readonly (StandingAnswer | null)[],
  options: ReflectOptions,
): Promise<Reflection> {
  const reflected: ReflectedAnswer[] = [];
  const done = new Set<string>();
  let { standing } = ground;
  let droppedSources = 0;
  let graphSequence: number | null = null;

  const take = async (answer: StandingAnswer, field: string): Promise<ReflectedAnswer> => {
    const { sources, dropped } = findSources(ground.sessions, answer.sources);
    droppedSources += dropped;
    const judgement = judgeAnswer({ ...ground, standing }, answer, sources, field);
    if (judgement.kind === 'REFUSED') return refused(judgement.reason);
    const { path } = judgement.kind === 'WRITE' ? judgement.input : judgement.page;
    if (done.has(path)) return refused('An answer before it is about the same page.');
    done.add(path);
    if (judgement.kind !== 'WRITE') {
      return { outcome: judgement.kind, pageId: judgement.page.id, path, reason: judgement.reason };
    }
    const written = await writePages(
      stores,
      caller,
      { pages: [judgement.input], evidenceId: `reflect:${judgement.digest}` },
      { ...options, projects: options.projects.byId, fieldOf: () => field },
    );
    graphSequence = written.graphSequence;
    const [page] = await stores.pages.findManyByKey(caller.view, [judgement.input]);
    standing = replace(standing, page ?? null);
    const reason = `It rests on ${sources.length} ${sources.length === 1 ? 'session' : 'sessions'}.`;
    return { outcome: 'WRITTEN', pageId: page?.id ?? null, path, reason };
  };

  for (const [index, answer] of answers.slice(0, MAX_ANSWERS).entries()) {
    reflected.push(
      answer === null
        ? refused('It has not the form that was asked for.')
        : await take(answer, `answers.${index}.`).catch(toOutcome),
    );
  }
  const count = (outcome: ReflectOutcome) =>
    reflected.filter((each) => each.outcome === outcome).length;
  return {
    asked: true,
    written: count('WRITTEN'),
    unchanged: count('UNCHANGED'),
    keptHuman: count('KEPT_HUMAN'),
    refused: count('REFUSED') + answers.length - reflected.length,
    droppedSources,
    answers: reflected,
    graphSequence,
  };
}

function replace(pages: readonly Page[], written: Page | null): readonly Page[] {
  if (written === null) return pages;
  return [...pages.filter(({ id }) => id !== written.id), written];
}

/** What the rules of every write refuse is refused alone; all else ends the pass. */
function toOutcome(error: unknown): ReflectedAnswer {
  if (error instanceof VersionConflictError) {
    const reason = 'Somebody else has written the page meanwhile.';
    return { outcome: 'KEPT_HUMAN', pageId: null, path: error.path, reason };
  }
  if (
    error instanceof InvalidInputError ||
    error instanceof NotFoundError ||
    error instanceof HintsDisabledError
  ) {
    return refused(error.message);
  }
  throw error;
}

function refused(reason: string): ReflectedAnswer {
  return { outcome: 'REFUSED', pageId: null, path: null, reason };
}
