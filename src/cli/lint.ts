import { readConfig } from '../config.ts';
import { createAccess } from '../memory/access.ts';
import { InvalidInputError } from '../memory/errors.ts';
import { type Finding, LINT_RULES, type LintRule } from '../memory/lint/rules.ts';
import { lint, MAX_FINDINGS } from '../memory/lint.ts';
import type { Project } from '../memory/page.ts';
import { LOCAL_PRINCIPAL } from '../memory/principal.ts';
import { findProject } from '../memory/readable-projects.ts';
import type { Stores } from '../memory/stores.ts';
import type { View } from '../memory/view.ts';
import { openStores } from '../open-stores.ts';

export type LintOptions = {
  readonly project: string;
  readonly rule: readonly string[];
  readonly json: boolean;
};

/** Prints what wants mending, as it is found; ends with 1 when some of it is a warning. */
export async function lintProject({ project: name, rule, json }: LintOptions): Promise<void> {
  const rules = rule.length === 0 ? null : rule.map(parseRule);
  const { stores, close } = await openStores({ ...readConfig(process.env), neo4j: null });
  try {
    const { project, view } = await openProject(stores, name);
    let count = 0;
    for await (const finding of listFindings(stores, view, project, rules)) {
      count += 1;
      if (finding.severity === 'WARNING') process.exitCode = 1;
      process.stdout.write(`${json ? JSON.stringify(finding) : toText(finding)}\n`);
    }
    if (!json) process.stdout.write(`${count} ${count === 1 ? 'finding' : 'findings'}\n`);
  } finally {
    await close();
  }
}

/** Page by page, so that the first is out before the last is looked for. */
async function* listFindings(
  stores: Pick<Stores, 'lints'>,
  view: View,
  project: Project,
  rules: readonly LintRule[] | null,
): AsyncGenerator<Finding> {
  let after: string | null = null;
  for (;;) {
    const list = await lint(stores, view, { project, rules, first: MAX_FINDINGS, after });
    for (const { finding } of list.entries) yield finding;
    if (!list.hasMore) return;
    after = list.entries.at(-1)?.cursor ?? null;
  }
}

async function openProject(
  stores: Stores,
  name: string,
): Promise<{ readonly project: Project; readonly view: View }> {
  const access = createAccess(stores, LOCAL_PRINCIPAL);
  const project = findProject(await access.projects(), name, '--project');
  if (project === null) {
    throw new InvalidInputError('--project', 'the name of a project that is there', name);
  }
  return { project, view: await access.viewAt(null) };
}

function parseRule(text: string): LintRule {
  const rule = LINT_RULES.find((each) => each === text.toUpperCase().replaceAll('-', '_'));
  if (rule === undefined) {
    throw new InvalidInputError('--rule', `one of ${LINT_RULES.join(', ')}`, text);
  }
  return rule;
}

function toText({ rule, severity, message, mend }: Finding): string {
  return `${severity.padEnd(7)}  ${rule}  ${message}\n         ${mend.text}`;
}
