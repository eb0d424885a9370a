import { LINT_SEVERITIES, type Mend } from '../memory/lint/finding.ts';
import { type Finding, LINT_RULES } from '../memory/lint/rules.ts';
import { DEFAULT_FINDINGS, lint, MAX_FINDINGS } from '../memory/lint.ts';
import { MAX_LINTED_PAGES } from '../memory/lint-store.ts';
import { parseFirst } from '../memory/paging.ts';
import { findProject } from '../memory/readable-projects.ts';
import { builder } from './builder.ts';
import { type Entry, entryOf, type Listed, listFields } from './connection.ts';
import { describe } from './enums.ts';
import { toMutation } from './mend-mutation.ts';
import { PageRef } from './page.ts';
import { pagesAt } from './page-at.ts';

const LintRuleRef = builder.enumType('LintRule', {
  description:
    'What lint looks for, in the order in which it tells. Pages that are archived or superseded are past mending, and left out where a rule is not about them.',
  values: describe(LINT_RULES, {
    UNRESOLVED_CONTRADICTION: 'A `CONTRADICTS` edge that nobody has settled.',
    RIVAL_SUCCESSORS:
      'A page that two or more pages supersede, none of which is superseded itself.',
    EXPIRED_REFERENCED: 'A page whose valid time is over, and that a current page references.',
    DANGLING_LINK: 'A link to a page that is not there, or not for you.',
    FIX_WITHOUT_PROBLEM:
      'A `FIXES` edge to a page that is archived, superseded or expired; or a page of kind `FIX` that fixes nothing.',
    SIMILAR_TITLES:
      'Pages of one project with titles of the same words, whatever their order, number, endings, case, accents and punctuation, and without little words like `the` and `of`. Sessions aside.',
    ORPHAN_PAGE: 'A page without an edge or a link.',
    CAUSE_CYCLE: 'Pages that bring each other about, however many lie between.',
  }),
});

const LintSeverityRef = builder.enumType('LintSeverity', {
  description: 'How much a finding matters.',
  values: describe(LINT_SEVERITIES, {
    WARNING: 'Answers are wrong or doubtful because of it.',
    NOTICE: 'Something to tidy.',
  }),
});

const MendRef = builder.objectRef<Mend>('LintMend').implement({
  description: 'A way to mend something.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'What to do, in words.' }),
    mutation: t.string({
      nullable: true,
      description: 'An operation that does it; null where no one write is it.',
      resolve: ({ action }) => action && toMutation(action).document,
    }),
    variables: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'What is known of its variables; the others are yours to decide.',
      resolve: ({ action }) => action && toMutation(action).variables,
    }),
  }),
});

const LintFindingRef = builder.objectRef<Finding>('LintFinding').implement({
  description: 'Something that wants mending.',
  fields: (t) => ({
    rule: t.expose('rule', { type: LintRuleRef, description: 'The rule that found it.' }),
    severity: t.expose('severity', { type: LintSeverityRef, description: 'How much it matters.' }),
    message: t.exposeString('message', { description: 'What is the matter, in one sentence.' }),
    pages: t.field({
      type: [PageRef],
      // Most rules name one or two.
      extensions: { size: () => 2 },
      description: `The pages concerned, at most ${MAX_LINTED_PAGES}: the one that it is about first.`,
      resolve: ({ pages }, _args, context) =>
        pagesAt(
          context,
          pages.map(({ id }) => id),
          null,
        ),
    }),
    pageCount: t.exposeInt('pageCount', { description: 'How many pages are concerned.' }),
    mend: t.field({
      type: MendRef,
      description: 'A way to mend it.',
      resolve: ({ mend }) => mend,
    }),
  }),
});

const LintEdgeRef = entryOf('LintEdge', LintFindingRef, {
  description: 'An entry of a list of findings.',
  noun: 'finding',
});

const LintConnectionRef = builder
  .objectRef<Omit<Listed<Entry<Finding>>, 'total'>>('LintConnection')
  .implement({
    description:
      'Findings, rule by rule. They are not counted: what is asked for is looked for, and no more.',
    fields: (t) =>
      listFields(t, {
        edge: LintEdgeRef,
        node: LintFindingRef,
        nodes: 'The findings, in the same order.',
      }),
  });

builder.queryField('lint', (t) =>
  t.field({
    type: LintConnectionRef,
    nullable: true,
    description:
      'What wants mending in a project, as far as you see it; null when the project is not there, or not for you. A cursor is the place of a finding: it holds while others come and go.',
    extensions: {
      size: ({ first }: { first?: number | null }) =>
        parseFirst(first ?? DEFAULT_FINDINGS, { most: MAX_FINDINGS, field: 'first' }),
    },
    args: {
      project: t.arg.string({ required: true, description: 'The exact name of the project.' }),
      rules: t.arg({ type: [LintRuleRef], description: 'What to look for; all when left out.' }),
      first: t.arg.int({
        description: `How many, 1 to ${MAX_FINDINGS}; ${DEFAULT_FINDINGS} when left out.`,
      }),
      after: t.arg.string({ description: 'A cursor of this connection, of the same project.' }),
    },
    resolve: async (_root, { project, rules, first, after }, context) => {
      const found = findProject(await context.projects(), project, 'project');
      if (found === null) return null;
      const list = await lint(context.stores, await context.viewAt(null), {
        project: found,
        rules: rules ?? null,
        first: first ?? null,
        after: after ?? null,
      });
      const entries = list.entries.map(({ finding, cursor }) => ({ node: finding, cursor }));
      return { ...list, entries };
    },
  }),
);
