import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { shortenMessage } from '../../memory/shown-text.ts';
import type { Reports } from './answers.ts';

/**
 * A server that says of parameters which do not fit that the fault is theirs. The library throws a
 * plain error for them, which its client would be told of as one of this side. Handlers throw nothing
 * but a `ProtocolError`.
 */
export class CheckedServer extends Server {
  readonly #note: Reports['note'];

  constructor(note: Reports['note'], ...[identity, options]: ConstructorParameters<typeof Server>) {
    super(identity, options);
    this.#note = note;
  }

  protected override _wrapHandler(
    ...[method, handler]: Parameters<Server['_wrapHandler']>
  ): ReturnType<Server['_wrapHandler']> {
    return super._wrapHandler(method, async (request, context) => {
      const asked = method === 'tools/call' ? request.params?.name : method;
      if (typeof asked === 'string') this.#note({ operation: asked });
      try {
        return await handler(request, context);
      } catch (error) {
        if (error instanceof ProtocolError || !(error instanceof Error)) throw error;
        this.#note({ errorCode: 'INVALID_INPUT' });
        const message = shortenMessage(`Parameters of ${method}: ${error.message}`);
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
      }
    });
  }
}
