import type { GetPromptRequest, GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { STANDING_PATH } from '../../memory/briefing-store.ts';
import { InvalidInputError } from '../../memory/errors.ts';
import { quoteText } from '../../memory/shown-text.ts';

export const REFLECT: Prompt = {
  name: 'reflect',
  title: 'Maintain standing answers',
  description:
    'Has your model bring the standing answers of a project up to what the last sessions learned.',
  arguments: [{ name: 'project', description: 'The project; the only one when left out.' }],
};

/** @throws {InvalidInputError} for another prompt, or another argument */
export function toReflectPrompt({
  name,
  arguments: args,
}: GetPromptRequest['params']): GetPromptResult {
  if (name !== REFLECT.name) throw new InvalidInputError('name', REFLECT.name, quoteText(name));
  const { project, ...unknown } = args ?? {};
  const [other] = Object.keys(unknown);
  if (other !== undefined) {
    throw new InvalidInputError('arguments', 'project alone', quoteText(other));
  }
  const text = `${toOpening(project)}\n\n${STEPS}`;
  return {
    description: REFLECT.description ?? '',
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

function toOpening(project: string | undefined): string {
  const where = project === undefined ? 'this project' : `the project ${quoteText(project)}`;
  const scope = project === undefined ? '' : ` Give project ${quoteText(project)} to every tool.`;
  return `Maintain the standing answers of ${where} in Causeway.${scope}`;
}

const STEPS = `A standing answer is the one page, under ${STANDING_PATH}/, that a new session reads to know how things are: what was decided, what holds, what to avoid. There are few of them, and each answers one question.

1. Look at what is new: memory_briefing, then memory_search for the subjects of the last sessions, with type_hints SESSION, DECISION, PROBLEM and FIX. Read what matters with memory_page.
2. For each question that these pages bear on, search for the page under ${STANDING_PATH}/ that answers it, and read it with its edges.
3. Rewrite it only when its evidence has changed. Use memory_write with the same path, expected_version as you read it, and everything that should stay: a write replaces the whole page. Name the pages that it rests on as [[path]] in the body.
4. Where no page answers the question yet, write one at ${STANDING_PATH}/<topic>. Never a second page for the same answer.
5. Where two pages cannot both hold, memory_link them with CONTRADICTS, from the one that disputes. Where one takes the place of another, SUPERSEDES, from the new one. Settle nothing that the pages do not settle.
6. Change nothing that still holds. End with one line for each page that you wrote or linked, and why.`;
