import { v7 as newId } from 'uuid';
import { type Caller, requireScope } from './caller.ts';
import { ForbiddenError, InvalidInputError } from './errors.ts';
import type { Project } from './page.ts';
import { parseStoredText } from './redaction.ts';
import type { Stores } from './stores.ts';
import { parseText } from './text-input.ts';

const MAX_NAME_BYTES = 128;
const MAX_DESCRIPTION_CHARACTERS = 2_000;

/** Signs that a link to a page needs for itself: `[[project:path#heading|label]]`. */
const RESERVED = /[:/|[\]#^\p{Cc}]/u;

/**
 * Makes a project.
 *
 * @throws {ForbiddenError} without the scope `memory:write`, or for a caller of named projects alone
 * @throws {InvalidInputError} for a name that is blank, too long, or has a reserved sign
 * @throws {AlreadyExistsError} if the tenant has a project of that name
 */
export async function createProject(
  { projects, clock, redactor }: Pick<Stores, 'projects' | 'clock' | 'redactor'>,
  caller: Pick<Caller, 'principal'>,
  input: { readonly name: string; readonly description?: string | null | undefined },
): Promise<Project> {
  requireScope(caller, 'memory:write');
  const { tenant, projects: allowed } = caller.principal;
  const name = parseProjectName(input.name);
  if (allowed !== 'ALL' && !allowed.includes(name))
    throw new ForbiddenError('access to all projects');
  return projects.create(tenant, {
    id: newId(),
    name,
    description: parseStoredText(input.description ?? '', {
      field: 'description',
      maxCharacters: MAX_DESCRIPTION_CHARACTERS,
      redactor,
    }),
    createdAt: clock(),
  });
}

/** A project's name in NFC. It is matched exactly; `%`, `_` and `*` mean themselves. */
export function parseProjectName(value: string): string {
  const field = 'name';
  // Before it is normalised, since that takes the square of the number of marks on one letter.
  const given = parseText(value, { field, allowBlank: false, maxBytes: 4 * MAX_NAME_BYTES });
  const name = given.normalize('NFC');
  parseText(name, { field, maxBytes: MAX_NAME_BYTES });
  if (RESERVED.test(name) || name !== name.trim()) {
    throw new InvalidInputError(
      field,
      'a name without : / | [ ] # ^, control characters and outer white space',
      name,
    );
  }
  return name;
}
