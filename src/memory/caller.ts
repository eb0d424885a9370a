import { ForbiddenError } from './errors.ts';
import type { AccessScope, Principal } from './principal.ts';
import type { View } from './view.ts';

/** Who asks for an operation, and what they see. */
export type Caller = { readonly principal: Principal; readonly view: View };

/** @throws {ForbiddenError} if the caller lacks the scope */
export function requireScope({ principal }: Pick<Caller, 'principal'>, scope: AccessScope): void {
  if (!principal.scopes.includes(scope)) throw new ForbiddenError(`the scope ${scope}`);
}
