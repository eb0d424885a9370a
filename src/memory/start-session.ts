import { type Caller, requireScope } from './caller.ts';
import { InvalidInputError } from './errors.ts';
import { toIdempotency } from './idempotency.ts';
import { type ProjectId, type Sensitivity, sensitivityRank } from './page.ts';
import { MAX_TITLE_CHARACTERS } from './parse-page-input.ts';
import { parseStoredText } from './redaction.ts';
import type { SessionId } from './session.ts';
import type { Stores } from './stores.ts';

/** Longest name of an agent, characters. */
export const MAX_AGENT_CHARACTERS = 128;

export type SessionInput = {
  readonly projectId: ProjectId;
  readonly agent: string;
  /** The title of the page that the session ends in. */
  readonly task: string;
  readonly sensitivity?: Sensitivity | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
};

/**
 * Starts a session of an agent.
 *
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {InvalidInputError} naming the field; nothing is stored
 */
export async function startSession(
  { sessions, redactor }: Pick<Stores, 'sessions' | 'redactor'>,
  caller: Caller,
  input: SessionInput,
): Promise<SessionId> {
  requireScope(caller, 'memory:write');
  const asked = input.sensitivity ?? 'INTERNAL';
  const sensitivity = sensitivityRank(asked);
  if (sensitivity > caller.view.clearance) {
    throw new InvalidInputError('sensitivity', 'a sensitivity within your clearance', asked);
  }
  const session = {
    projectId: input.projectId,
    agent: parseStoredText(input.agent, {
      field: 'agent',
      allowBlank: false,
      maxCharacters: MAX_AGENT_CHARACTERS,
      redactor,
    }),
    task: parseStoredText(input.task, {
      field: 'task',
      allowBlank: false,
      maxCharacters: MAX_TITLE_CHARACTERS,
      redactor,
    }),
    sensitivity,
  };
  const idempotency = toIdempotency(caller, 'startSession', input.idempotencyKey, session);
  return sessions.start(caller.view, session, idempotency);
}
